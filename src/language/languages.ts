import { countHan, latinWords } from './fold.ts'
import type { Language } from './understanding.ts'

export type ReplyLanguage = 'zh' | 'en' | 'other'
/** The ISO 639-1 code of the language that a script shows; `und` when the text has no letters to tell from. */
export type ScriptLanguage = 'zh' | 'en' | 'ja' | 'ko' | 'ru' | 'ar' | 'th' | 'und'

const SAMPLE_LENGTH = 2_000
const SCRIPTS: readonly (readonly [ScriptLanguage, RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['ru', /\p{Script=Cyrillic}/gu],
  ['ar', /\p{Script=Arabic}/gu],
  ['th', /\p{Script=Thai}/gu],
]
const LETTER = /\p{L}/u
// Product names, file types and loan words that Chinese sentences are full of without being mixed.
const LOAN_WORDS = new Set(
  (
    'app wifi wi fi ok vip iphone ipad ipod mac macbook android windows apple samsung huawei xiaomi usb hdmi type pro max plus mini ' +
    'xs xl xxl xxxl s m l a b c d e f g w t v x y z gb tb mb ram rom cpu gpu gps nfc led lcd ssd pdf word excel ppt qq ios ' +
    'pc tv vr ai ip id pin sms email logo diy hi hello bug cod ups dhl fedex ems sf paypal visa mastercard alipay wechat bluetooth'
  ).split(' '),
)
// Words that no English sentence has and that sentences of these languages seldom lack.
const OTHER_LATIN = new Set(
  (
    'de la le les des et est un une pour que qui dans pas vous nous je mon ma mes avec sur où quand comment bonjour merci ' +
    'el los las y es un por para con mi su como donde cuando quiero hola gracias pedido ' +
    'der die das und ist nicht ich mein meine wo wie wann ein eine für mit auf sie bitte danke bestellung ' +
    'il lo gli che sono per non mio dove come ciao grazie o os não meu minha onde como quero obrigado uma'
  ).split(' '),
)
const ENGLISH = new Set(
  (
    'the a an is are was i you my your to of and in it for on do does did can have has with what where when how why who this that ' +
    'not no me we they be will would please hi hello'
  ).split(' '),
)

/**
 * The language of a text, told by its script alone; whatever is in Latin letters counts as English. A Chinese sentence stays
 * Chinese however many Latin product names it holds: one ideograph says as much as about three Latin letters, and names are
 * Latin in every language.
 */
export function detectLanguage(text: string, sampleLength = SAMPLE_LENGTH): ScriptLanguage {
  const sample = text.slice(0, sampleLength)
  const count = (pattern: RegExp): number => sample.match(pattern)?.length ?? 0
  const latin = count(/\p{Script=Latin}/gu)
  const han = count(/\p{Script=Han}/gu)
  const others = SCRIPTS.map(([language, pattern]) => [language, count(pattern)] as const)
  const [language, letters] = others.reduce((best, next) => (next[1] > best[1] ? next : best))
  if (letters > 0 && letters * 3 >= han && letters * 3 >= latin) return language
  if (han > 0 && han * 6 >= latin) return 'zh'
  return latin > 0 ? 'en' : 'und'
}

/** Which language a message is written in; `mixed`: Chinese with English words that are more than names. */
export function languageOf(folded: string): Language {
  const sample = folded.slice(0, SAMPLE_LENGTH)
  const script = detectLanguage(sample)
  if (script !== 'zh' && script !== 'en') return 'other'
  const han = countHan(sample)
  const words = latinWords(sample).filter((word) => word.length > 1 && !LOAN_WORDS.has(word))
  if (han > 0) return han >= 2 && isMixed(han, words.length) ? 'mixed' : script
  return isOtherLatin(sample) ? 'other' : 'en'
}

function isMixed(han: number, words: number): boolean {
  return words >= 2 || (words === 1 && han <= 12)
}

/** True for a folded text in Latin letters that has the words of another language and not those of English. */
export function isOtherLatin(folded: string): boolean {
  const words = new Set(latinWords(folded.slice(0, SAMPLE_LENGTH)))
  const other = words.intersection(OTHER_LATIN).size
  return other >= 2 && other > words.intersection(ENGLISH).size
}

/**
 * The language to answer in. A message without letters (an order number, an emoji) takes over the language of the
 * customer's latest message that had some; English when there is none.
 *
 * @param previous the customer's earlier messages, oldest first
 */
export function replyLanguageOf(folded: string, previous: readonly string[]): ReplyLanguage {
  const source = [...previous, folded].reverse().find((text) => LETTER.test(withoutCodes(text))) ?? ''
  const sample = withoutCodes(source).slice(0, SAMPLE_LENGTH)
  if (sample.trim() === '') return 'en'
  const language = languageOf(sample)
  return language === 'mixed' ? 'zh' : language
}

// Order numbers, addresses of mail and web: letters in them are nobody's language.
function withoutCodes(text: string): string {
  return text
    .slice(0, SAMPLE_LENGTH)
    .replace(/\S{0,64}[@/]\S{0,64}/g, ' ')
    .replace(/#?[a-z]{0,4}-?\d[\w-]*/gi, ' ')
}
