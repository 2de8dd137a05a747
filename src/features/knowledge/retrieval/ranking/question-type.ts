/** The kind of thing that a question asks for; two questions about the same thing that ask for different things have different answers. */
export const QUESTION_TYPES = ['none', 'what', 'how', 'how_many', 'why', 'when', 'where', 'who', 'yes_no'] as const
export type QuestionType = (typeof QUESTION_TYPES)[number]

const HOW_MANY = new Set('多少 几 多久 多长 多长时间 多大 多远 多少钱'.split(' '))
const MARKERS: readonly (readonly [QuestionType, ReadonlySet<string>])[] = [
  ['how_many', HOW_MANY],
  ['why', new Set('whi 为什么 为何 为啥 原因'.split(' '))],
  ['when', new Set('when 何时 什么时候 几时'.split(' '))],
  ['where', new Set('where 哪里 哪儿 在哪 何处'.split(' '))],
  ['who', new Set('who whom whose 谁'.split(' '))],
  ['how', new Set('how 如何 怎么 怎样 怎么样 怎么办 咋'.split(' '))],
  ['yes_no', new Set('是否 吗 能否 可否 是不是 有没有 能不能 可不可以'.split(' '))],
  ['what', new Set('what which 什么 哪些 哪个 哪 啥'.split(' '))],
]
const QUANTITIES = new Set('mani much long often far old larg big'.split(' '))
const VERBS_IN_FRONT = new Set(
  'can could do doe did is are am was were will would should shall may might must has have had'.split(' '),
)
const MAX_WORDS = 24

/** Reads the type from the first interrogative among a text's words (as the analyser gives them). */
export function questionType(words: readonly string[]): QuestionType {
  const opening = words.slice(0, MAX_WORDS)
  if (opening[0] !== undefined && VERBS_IN_FRONT.has(opening[0])) return 'yes_no'
  for (const [i, word] of opening.entries()) {
    const type = MARKERS.find(([, marks]) => marks.has(word))?.[0]
    if (type === 'how' && QUANTITIES.has(opening[i + 1] ?? '')) return 'how_many'
    if (type) return type
  }
  return 'none'
}

/** Kinds whose Chinese words stand for each other wherever they are: 怎么开 asks what 怎样开 asks. */
const INTERCHANGEABLE: ReadonlySet<QuestionType> = new Set(['how', 'why', 'when', 'where'])

/** Other Chinese words that ask for the same kind of thing; none for a word that asks for nothing, or not for that alone. */
export function otherInterrogatives(word: string): string[] {
  if (!/^\p{Script=Han}+$/u.test(word)) return []
  const marks = MARKERS.find(([type, words]) => INTERCHANGEABLE.has(type) && words.has(word))?.[1]
  return [...(marks ?? [])].filter((other) => other !== word && /^\p{Script=Han}+$/u.test(other))
}

/** Whether the word at a place only says how much is asked for: "long" of "how long". */
function isQuantityAt(words: readonly string[], at: number): boolean {
  return words[at - 1] === 'how' && QUANTITIES.has(words[at] ?? '')
}

/** Words without those that only say how much is asked for: 多久, and "long" of "how long", but not of "a long cable". */
export function withoutQuantities(words: readonly string[]): string[] {
  return words.filter((word, i) => !HOW_MANY.has(word) && !isQuantityAt(words, i))
}

/** "How much is the lamp?" asks its price; "how much cheaper" and "how much time" ask something else. */
const BEFORE_PRICED = new Set('is are was do doe did for'.split(' '))

/** Place of the "much" that asks for a price; -1 where none does. */
export function findPriceAsked(words: readonly string[]): number {
  return words.findIndex(
    (word, i) => word === 'much' && isQuantityAt(words, i) && BEFORE_PRICED.has(words[i + 1] ?? ''),
  )
}

/** Whether a word only says what kind of thing is asked for: "long" of "how long", 多久. */
export function isQuestionWord(word: string): boolean {
  return QUANTITIES.has(word) || MARKERS.some(([, marks]) => marks.has(word))
}
