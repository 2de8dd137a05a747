import { normalise } from '../../../language/fold.ts'
import { splitSentences } from '../../../language/sentences.ts'
import { isStopWord } from '../../../language/words/stop-words.ts'
import type { ChunkText } from '../retrieval/ranking/chunk-features.ts'
import { answerToPermission, findPermission, type Permission } from './permissions.ts'
import { findQuantities, type Quantity, type QuantityKind } from './quantities.ts'

export type ClaimKind = QuantityKind | 'permission'

/** One thing that a passage states about something, in a form that can be compared with other passages. */
export interface Claim {
  kind: ClaimKind
  unit: string
  low: number
  high: number
  bound: Quantity['bound']
  /** Its matter: the words of its sentence or clause, without stop words and numbers. */
  terms: string[]
  /** How many words its terms are, with those that say little: a short sentence leaves its matter to its heading. */
  length: number
  /** Names with digits in it, such as `E5`, and the other numbers of its clause, which are its conditions. */
  codes: string
  /** Words that turn the meaning (not, only, except, before, after), as bits of `QUALIFIER`. */
  qualifiers: number
  /** The sentence as it is written. */
  sentence: string
}

const MAX_SENTENCES = 200
const MAX_CLAIMS = 60
const MAX_SENTENCE_CLAIMS = 20
/** More numbers than that are a series, of which none says anything by itself. */
const MAX_CLAUSE_QUANTITIES = 6
/** Tables and run-on texts: beyond it a number belongs to its clause alone. */
const MAX_SENTENCE_LENGTH = 300
const MAX_READ_LENGTH = 2_000

const GENERIC = new Set(
  `pleas also per usual normal typic general approxim customer user buyer onli onc will shall item product good least about after befor more less within over most up
  用户 顾客 客户 买家 商品 产品 货物 需要 进行 将 自 起 为 由 等 内 之内 以内 期间 之日起 之日 则 均 该 本 可 日 天 月 年 个 约 大约 一般 通常 即可 后 前 时 至 至少 最多 不超过 超过 满`.split(
    /\s+/,
  ),
)

/** The claims of a passage. @param words the analyser's words of a text, in order. */
export function claimsOf(chunk: Pick<ChunkText, 'question' | 'content'>, words: (text: string) => string[]): Claim[] {
  const claims: Claim[] = []
  const answer = claimOfAnswer(chunk, words)
  if (answer) claims.push(answer)
  for (const sentence of splitSentences(chunk.content).slice(0, MAX_SENTENCES)) {
    if (claims.length >= MAX_CLAIMS) break
    claims.push(...claimsOfSentence(sentence.slice(0, MAX_READ_LENGTH), words))
  }
  return claims
}

/** "Can two accounts be merged?" "No." states something about the question's words. */
function claimOfAnswer(
  { question, content }: Pick<ChunkText, 'question' | 'content'>,
  words: (text: string) => string[],
): Claim | undefined {
  if (question === null) return undefined
  const asked = normalise(question)
  const permission = answerToPermission(asked, normalise(content.slice(0, 80)))
  if (!permission) return undefined
  const about = wordsAbout(asked, words)
  return { ...permissionValue(permission), ...about, qualifiers: qualifiersOf(asked), sentence: question }
}

interface Clause {
  text: string
  start: number
  quantities: Quantity[]
}

/** Most sentences have neither a number nor a word of permission, and end here. */
const MAY_CLAIM =
  /[\d\uff10-\uff19零〇一二两兩三四五六七八九十百千半不禁嚴严無无沒没恕謝谢概可能支允接]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fourteen|fifteen|eighteen|twenty|thirty|forty|fifty|sixty|ninety|hundred|can|can't|cannot|may|must|is|are|be|isn't|aren't|not|prohibited|forbidden|non|do|does|unable|never|we|it|which|that)\b/i

function claimsOfSentence(original: string, words: (text: string) => string[]): Claim[] {
  if (!MAY_CLAIM.test(original)) return []
  const sentence = normalise(original)
  const clauses = clausesOf(sentence, findQuantities(sentence))
  const claims: Claim[] = []
  for (const [index, clause] of clauses.entries()) {
    if (claims.length >= MAX_SENTENCE_CLAIMS) break
    for (const claim of claimsOfQuantities(clause, clauses, index, words)) claims.push({ ...claim, sentence: original })
    for (const claim of claimsOfPermission(clause, words)) claims.push({ ...claim, sentence: original })
  }
  return claims
}

/** Cut at commas and semicolons, but not within a quantity such as 1,000. */
function clausesOf(sentence: string, quantities: readonly Quantity[]): Clause[] {
  const clauses: Clause[] = []
  let start = 0
  for (let at = 0; at <= sentence.length; at++) {
    const isCut = at === sentence.length || (/[,;、]/.test(sentence[at]!) && sentence[at] !== '、')
    if (!isCut || quantities.some((each) => each.start < at && each.end > at)) continue
    const text = sentence.slice(start, at)
    if (text.trim() !== '') {
      const own = quantities.filter((each) => each.start >= start && each.end <= at)
      clauses.push({ text, start, quantities: own })
    }
    start = at + 1
  }
  return clauses
}

type UnplacedClaim = Omit<Claim, 'sentence'>

function claimsOfQuantities(
  clause: Clause,
  clauses: readonly Clause[],
  index: number,
  words: (text: string) => string[],
): UnplacedClaim[] {
  if (clause.quantities.length > MAX_CLAUSE_QUANTITIES) return []
  return clause.quantities.flatMap((quantity) => {
    const sameKind = (other: Quantity): boolean => other.kind === quantity.kind && other.unit === quantity.unit
    const isOnly = clauses.every((each) => each === clause || !each.quantities.some(sameKind))
    const length = clauses.reduce((sum, { text }) => sum + text.length, 0)
    const scope = isOnly && length <= MAX_SENTENCE_LENGTH ? clauses : [...introductionOf(clauses, index), clause]
    const about = wordsAbout(scope.map(withoutQuantities).join(', '), words)
    const { kind, unit, low, high, bound } = quantity
    const others = clause.quantities.filter((other) => other !== quantity).map((other) => `${other.low}${other.unit}`)
    const codes = [about.codes, ...others].join(' ').trim()
    return [{ kind, unit, low, high, bound, ...about, codes, qualifiers: qualifiersOf(clause.text) }]
  })
}

/** Clauses in front that state no number themselves: they say what the others are about. */
function introductionOf(clauses: readonly Clause[], index: number): Clause[] {
  return clauses.slice(0, index).filter(({ quantities }) => quantities.length === 0)
}

function claimsOfPermission(clause: Clause, words: (text: string) => string[]): UnplacedClaim[] {
  const text = clause.text.trim()
  const found = findPermission(text)
  if (!found || text.length > MAX_SENTENCE_LENGTH) return []
  const rest = `${text.slice(0, found.start)} ${text.slice(found.end)}`
  return [{ ...permissionValue(found.permission), ...wordsAbout(rest, words), qualifiers: qualifiersOf(rest) }]
}

function permissionValue(permission: Permission) {
  const value = permission === 'allowed' ? 1 : 0
  return { kind: 'permission' as const, unit: '', low: value, high: value, bound: 'exact' as const }
}

function withoutQuantities({ text, start, quantities }: Clause): string {
  let rest = text
  for (const quantity of quantities.toReversed()) {
    rest = `${rest.slice(0, quantity.start - start)} ${rest.slice(quantity.end - start)}`
  }
  return rest
}

function wordsAbout(text: string, words: (text: string) => string[]): Pick<Claim, 'terms' | 'length' | 'codes'> {
  const all = words(text)
  const codes = all.filter((word) => /\d/.test(word)).sort()
  const content = [...new Set(all.filter((word) => !/\d/.test(word) && !isStopWord(word)))]
  const terms = content.filter((word) => !GENERIC.has(word))
  return { terms, length: content.length, codes: codes.join(' ') }
}

/** Words that turn the meaning of a clause, as bits. */
export const QUALIFIER = { not: 1, except: 2, each: 4, before: 8, after: 16, only: 32 } as const

const QUALIFIERS: [bit: number, pattern: RegExp][] = [
  [
    QUALIFIER.not,
    /未(?!来)|非(?!常)|没有|无(?!论|理由|需|忧)|\bnot\b|n't\b|\bnon-|\bun(?:opened|used|paid|worn|shipped|registered|verified)\b/i,
  ],
  [QUALIFIER.only, /仅(?!供)|只(?!要)|\bonly\b|\bsolely\b/i],
  [QUALIFIER.except, /除(?:了|非|外)|以外|\bexcept\b|\bunless\b|\bother than\b|\bwithout\b|\bexcluding\b/i],
  [QUALIFIER.before, /(?<!之|提)前(?!往|台|提)|\bbefore\b|\bprior to\b/i],
  [QUALIFIER.after, /(?<![然最以])后(?!台|续)|\bafter\b|\bonce\b/i],
  [QUALIFIER.each, /每|\bevery\b|\beach\b|\bper\b/i],
]

function qualifiersOf(clause: string): number {
  return QUALIFIERS.reduce((bits, [bit, pattern]) => (pattern.test(clause) ? bits | bit : bits), 0)
}

const GENERIC_TOPIC = new Set(
  `faq faqs question answer help guid guidelin overview introduct polici polic inform general document page section
  long much mani 几天 多久 多长 常见问题 问题 说明 指南 帮助 中心 概述 介绍 须知 文档 政策 规则 服务`.split(/\s+/),
)

/** The topic of a passage: its question, else its nearest heading, else its title. */
export function topicOf(
  chunk: Pick<ChunkText, 'question' | 'headingPath' | 'title'>,
  words: (text: string) => string[],
): { terms: string[]; codes: string } {
  const { terms, codes } = wordsAbout(normalise(chunk.question ?? chunk.headingPath.at(-1) ?? chunk.title), words)
  return { terms: terms.filter((term) => !GENERIC_TOPIC.has(term)), codes }
}
