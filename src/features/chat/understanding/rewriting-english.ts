import { fold } from '../../../language/fold.ts'
import { findSlots, namesPlaceOrPayment, replaceAt, slotKindOf, stripMarks } from '../../../language/slots.ts'
import type { Span } from '../../../language/spans.ts'

const PREPOSITION = '(?:for|in|to|with|from|on|at|without|by|via)'
const ABOUT = /^(?:and |but |so |ok |okay |then |also |hmm )*(?:what|how) about (.{1,80})$/
const PREPOSED = new RegExp(
  `^(?:and |but |so |or |also |even |ok |the )*(?:(?:what|how) about )?(?:is it )?(?:same )?(${PREPOSITION}) (.{1,80})$`,
)
const CONDITION = /^(?:and |but |so |or )*(?:what )?if (.{1,120})$/
const AND_PHRASE =
  /^(?:and|or|also|plus) (?!how|what|when|where|why|who|which|can|do|does|is|are|will|if)([a-z0-9' -]{2,60})$/
const ONE_PHRASE = /^(?:and )?(?:the )?([a-z]{2,15}) (ones?)$/
const TAIL = /(?: too| as well| then| also| instead| please)+$/
const PRONOUN = /\b(?:it|they|them|its|their|this one|that one|these|those|this|that|the same)\b/
const PLURAL = /\b(?:they|them|these|those|their)\b/
const POSSESSIVE = /^(?:its|their)$/
const EXPLETIVE = /\b(?:is it (?:possible|ok|okay|true|allowed)|it is (?:possible|true))\b/
const BARE: readonly (readonly [RegExp, (topic: string) => string])[] = [
  [/^(?:and |but |so )?how much(?: is (?:it|that)| does (?:it|that) cost)?$/, (topic) => `How much is ${topic}?`],
  [/^(?:and |but |so )?how long(?: does (?:it|that) take)?$/, (topic) => `How long does ${topic} take?`],
  [/^(?:and |but |so )?when$/, (topic) => `When is ${topic}?`],
  [/^(?:and |but |so )?where(?: is (?:it|that))?$/, (topic) => `Where is ${topic}?`],
  [/^(?:and |but |so )?how(?: does (?:it|that) work)?$/, (topic) => `How does ${topic} work?`],
]

// Frames in which a question names its topic, the most telling first; what follows the frame is the topic.
const FRAMES: readonly RegExp[] = [
  /^(?:do|does|did) (?:you|u|your shop|the shop|they) (?:also |still |guys )?(?:sell|have|offer|carry|stock|accept|provide|support|make|give|take|deliver|repair|ship)\b(?: any| some)? /,
  /^(?:is|are) there (?:an? |any |some )?/,
  /^(?:what|which)(?: is|'s| are) the [a-z ]{2,30}? (?:of|for) /,
  /^how (?:much|big|long|heavy|loud|fast|old|large|tall|wide|thick|good)(?: is| are| does| do| will) /,
  /^(?:what|which|where|who)(?: is|'s| are| was) /,
  /^(?:can|could|may|should|must) (?:i|we|you) (?:please |still |also )?[a-z]{2,12} (?:me )?(?:about )?/,
  /^how (?:do|can|would|should) (?:i|we|you) [a-z]{2,12}(?: up| in| out| on)? /,
  /^(?:please )?(?:tell me|show me|i want to know|i would like to know)(?: more)?(?: about)? /,
  /^(?:i|we)(?:'m| am| are)? (?:want|need|would like|bought|ordered|have|got|own|like|received|looking for|interested in)(?: to [a-z]{2,12})? /,
  /^(?:i'd|we'd) like(?: to [a-z]{2,12})? /,
  /^(?:please )?(?:cancel|return|refund|exchange|track|change|reset|order|buy|send|check) /,
]
const COPULA =
  /^(?:is|are|was|were|does|do|did|can|will|would) ((?:the |this |that |my |your |these |those |an? )?[a-z0-9' -]{2,60}?)(?: (?:not )?[a-z-]{3,20})$/
const TOPIC_END =
  /[?.!,;]| (?:for|in|to|with|from|on|at|by|via|without|when|if|because|that|which|who|so|but|than|after|before|take|takes|cost|costs|work|works|come|comes|fit|fits|available|possible|today|tomorrow|now|please|last|yesterday|ago|online|next)\b/

/** Stand-alone readings of a follow-up to one English question, likeliest first; none when it cannot be tied to it. */
export function rewriteEnglish(message: string, base: string): string[] {
  const text = stripMarks(message)
  const folded = fold(text)
  const condition = CONDITION.exec(folded)
  if (condition !== null) return [append(base, `if ${cutFrom(text, folded, condition[1]!)}`)]
  return (
    bare(folded, base) ??
    itTakes(text, folded, base) ??
    one(folded, base) ??
    preposed(text, folded, base) ??
    about(text, folded, base) ??
    pronoun(message, base) ??
    []
  )
}

/** The original spelling of a phrase that ends the folded text. */
function cutFrom(text: string, folded: string, phrase: string): string {
  const start = folded.lastIndexOf(phrase)
  return text.slice(start, start + phrase.length).replace(TAIL, '')
}

function append(base: string, addition: string): string {
  return `${stripMarks(base)} ${addition}?`
}

const HOW_TO = /^(?:and |but |so )?how(?: do i| can i| to)(?: do (?:it|that|this))?$/
const CAN_I = /^(?:can|could|may) (?:i|we) (.{2,200})$/i

function bare(folded: string, base: string): string[] | null {
  const action = CAN_I.exec(stripMarks(base))?.[1]
  if (HOW_TO.test(folded)) return [action === undefined ? `${base} ${folded}?` : `How do I ${action}?`]
  const template = BARE.find(([pattern]) => pattern.test(folded))?.[1]
  if (template === undefined) return /^(?:and |but |so )?why(?: not| is that)?$/.test(folded) ? [`Why? ${base}`] : null
  const topics = topicsOf(base)
  // Costs and times depend on the place, which is no topic of its own.
  return topics.length === 0 || namesPlaceOrPayment(fold(base))
    ? [`${stripMarks(base)}, ${folded}?`]
    : topics.map(template)
}

const IT_TAKES = /^(.*\b(?:does|did|will|would|do)) it (take|cost)\b(.*)$/
/** Words by which a question names what the shop does, and the verb for it. */
const ACTIONS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:deliver(?:y|ies)?|ship(?:ping)?|postage|send)\b/, 'deliver'],
  [/\brefunds?\b|\bmoney back\b/, 'get a refund'],
  [/\breturn(?:s|ing)?\b/, 'return'],
  [/\bexchang(?:e|es|ing)\b|\breplac/, 'exchange'],
  [/\brepair/, 'repair'],
  [/\binstall/, 'install'],
  [/\bcancel/, 'cancel'],
  [/\binvoice/, 'get an invoice'],
]

/** "How long does it take to Singapore?" after "Do you deliver to Hong Kong?": it is what was asked about before. */
function itTakes(text: string, folded: string, base: string): string[] | null {
  const match = IT_TAKES.exec(folded)
  if (match === null) return null
  const head = text.slice(0, match[1]!.length)
  const rest = text.slice(text.length - match[3]!.length)
  const action = ACTIONS.find(([pattern]) => pattern.test(fold(base)))?.[1]
  if (action !== undefined) return [`${head} it ${match[2]} to ${action}${rest}?`]
  const topics = topicsOf(base)
  return topics.length === 0 ? null : topics.map((topic) => `${head} ${topic} ${match[2]}${rest}?`)
}

// "the red one" after "Is the blue lamp dimmable?": the colour is swapped; without a colour before, it is put before the noun.
function one(folded: string, base: string): string[] | null {
  const match = ONE_PHRASE.exec(folded)
  if (match === null) return null
  const kind = slotKindOf(match[1]!)
  const slots = kind === null ? [] : findSlots(fold(base), kind)
  if (slots.length > 0) return slots.map((slot) => replaceAt(base, slot, match[1]!))
  const topics = topicsOf(base)
  return topics.map((topic) =>
    base.replace(topic, topic.replace(/^(the |my |your |an? |this |that )?/i, `$1${match[1]} `)),
  )
}

function preposed(text: string, folded: string, base: string): string[] | null {
  const match = PREPOSED.exec(folded)
  if (match === null) return null
  const phrase = cutFrom(text, folded, match[2]!)
  const whole = typedReplacements(`${match[1]} ${phrase}`, base)
  if (whole.length > 0) return whole
  const same = objectsOf(base, match[1]!)
  if (same.length > 0) return same.map((slot) => replaceAt(base, slot, phrase))
  const typed = typedReplacements(phrase, base)
  return typed.length > 0 ? typed : [append(base, `${match[1]} ${phrase}`)]
}

/** Objects of a preposition in the base: from behind it to the next preposition, mark or the end. */
function objectsOf(base: string, preposition: string): Span[] {
  const pattern = new RegExp(
    `\\b${preposition} ((?!me\\b|us\\b|you\\b|it\\b|sale\\b)[^?.!,;]{1,60}?)(?= (?:${PREPOSITION.slice(3, -1)}|and|or|if|when|take|cost)\\b|[?.!,;]|$)`,
    'g',
  )
  return [...fold(base).matchAll(pattern)].map((match) => ({
    start: match.index + match[0].length - match[1]!.length,
    end: match.index + match[0].length,
  }))
}

function typedReplacements(phrase: string, base: string): string[] {
  const kind = slotKindOf(fold(phrase))
  if (kind === null) return []
  return findSlots(fold(base), kind).map((slot) => replaceAt(base, slot, phrase))
}

const PROPERTY =
  /^(?:the |its |their )?(?:price|cost|size|weight|colou?rs?|material|height|width|dimensions|battery life|capacity|brand|availability|quality|delivery time|warranty|guarantee)$/

function about(text: string, folded: string, base: string): string[] | null {
  const match = ABOUT.exec(folded) ?? AND_PHRASE.exec(folded)
  if (match === null) return null
  const phrase = cutFrom(text, folded, match[1]!.replace(TAIL, ''))
  const kind = slotKindOf(fold(phrase))
  const topics = topicsOf(base)
  if (PROPERTY.test(fold(phrase)) && topics.length > 0 && !isService(fold(topics[0]!)))
    return topics.map((topic) => `What is ${phrase.replace(/^(?:its|their|the)? ?/i, 'the ')} of ${topic}?`)
  if (kind !== null) {
    const typed = typedReplacements(phrase, base)
    return typed.length > 0 ? typed : [append(base, `${linkFor(kind, base)} ${phrase}`)]
  }
  const named = objectsOf(base, 'for')
  const goods = [...named, ...goodsOf(base)]
  return goods.length > 0 ? goods.map((slot) => replaceAt(base, slot, phrase)) : [append(base, `for ${phrase}`)]
}

function linkFor(kind: string, base: string): string {
  if (kind === 'place') return /\b(?:ship|deliver|send|postage)/i.test(base) ? 'to' : 'in'
  if (kind === 'payment') return 'with'
  return kind === 'time' ? 'on' : 'for'
}

/** Topics that are goods rather than a service of the shop: those another good can stand for. */
function goodsOf(base: string): Span[] {
  const folded = fold(base)
  return topicsOf(base)
    .filter((topic) => !isService(fold(topic)))
    .map((topic) => ({ start: folded.indexOf(fold(topic)), end: folded.indexOf(fold(topic)) + topic.length }))
}

function isService(topic: string): boolean {
  return (
    slotKindOf(topic) !== null ||
    /\b(?:window|policy|deadline|fee|fees|cost|costs|price|time|times|hours|period|process|status|number|address|password|account|discount|order|delivery|shipping|returns?|refunds?|warranty|invoice|points|email|phone number|limit|way|form|option|options)$/.test(
      topic,
    )
  )
}

function pronoun(message: string, base: string): string[] | null {
  const folded = fold(message)
  const match = PRONOUN.exec(folded)
  if (match === null || EXPLETIVE.test(folded)) return null
  const span = { start: match.index, end: match.index + match[0].length }
  const topics = PLURAL.test(match[0]) ? wholeTopicOf(base) : topicsOf(base)
  const isOwn = POSSESSIVE.test(match[0])
  return topics.map((topic) => replaceAt(message, span, isOwn ? possessive(topic) : topic))
}

function possessive(topic: string): string {
  return topic.endsWith('s') ? `${topic}'` : `${topic}'s`
}

/** The topics of a question; "the A and the B" are two topics. In the spelling of the question. */
function topicsOf(base: string): string[] {
  return wholeTopicOf(base)
    .flatMap((topic) => topic.split(/ (?:and|or) /))
    .filter((topic) => topic.trim() !== '')
}

function wholeTopicOf(base: string): string[] {
  const text = stripMarks(base).replace(/^(?:hi|hello|hey|please|and|also|so)[, ]+/i, '')
  const folded = fold(text)
  for (const frame of FRAMES) {
    const match = frame.exec(folded)
    if (match === null) continue
    const topic = withoutVerb(untilEnd(text.slice(match[0].length)), match[0], text)
    if (topic !== '' && !/^(?:it|that|this|they)\b/i.test(topic)) return [topic]
  }
  const subject = COPULA.exec(folded)?.[1]
  if (subject === undefined || /^(?:i|you|we|it|they|there)$/.test(subject)) return []
  const start = folded.indexOf(subject)
  return [text.slice(start, start + subject.length)]
}

/** "How long do the headphones play" is about the headphones: what ends such a question is its verb. */
function withoutVerb(topic: string, frame: string, text: string): string {
  const isWhole = text.endsWith(topic) && /\b(?:do|does|will|did) $/.test(frame)
  return isWhole ? topic.replace(/(?<=\S) [a-z]+$/i, '') : topic
}

function untilEnd(rest: string): string {
  const end = TOPIC_END.exec(` ${fold(rest)}`)
  return (end === null ? rest : rest.slice(0, Math.max(0, end.index - (end.index > 0 ? 1 : 0)))).trim()
}
