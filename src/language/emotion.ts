import {
  CHINESE_FEELINGS,
  CHINESE_INTENSIFIERS,
  CHINESE_NEGATIONS,
  DIMINISHERS,
  EMOJI_FEELINGS,
  ENGLISH_FEELINGS,
  ENGLISH_PHRASES,
  INTENSIFIERS,
  NEGATIONS,
} from './emotion-words.ts'
import { fold, isHan } from './fold.ts'

type Feelings = ReadonlyMap<string, number>

const ENGLISH: Feelings = new Map([...ENGLISH_FEELINGS, ...ENGLISH_PHRASES])

const TOKENS = /[a-z]+(?:'[a-z]+)?|[\u3400-\u4dbf\u4e00-\u9fff]+|[.!?。！？\n]/g
/** Words of a phrase in English, ideographs of one in Chinese. */
const MAX_TERM = 5
const INTENSIFIED = 1.35
const DIMINISHED = 0.6
const NEGATED = -0.5
// Three words reach from "not" over "at all" to the feeling; in Chinese three signs ("不是很好").
const REACH = 3
const SHOUTED_LETTERS = 12

/**
 * How the customer feels, from -1 (furious) over 0 (neutral) to 1 (delighted): words of feeling in Chinese and English with
 * negation and intensifiers, emoji, shouting in capitals and repeated marks. The strongest feeling leads and each further one
 * of its sign adds half of what is left, so that length alone makes nobody angrier than their worst word by much.
 */
export function emotionScoreOf(message: string): number {
  const folded = fold(message)
  const feelings = [...wordFeelings(folded), ...emojiFeelings(message)]
  const negative = combine(feelings.filter((value) => value < 0))
  const positive = combine(feelings.filter((value) => value > 0))
  // A polite word does not soften anger, and a complaint outweighs its thank-you.
  const balance = negative < -0.4 ? negative + positive * 0.2 : negative + positive
  return clamp(emphasise(balance, message))
}

function combine(feelings: readonly number[]): number {
  const ordered = [...feelings].sort((a, b) => Math.abs(b) - Math.abs(a)).slice(0, 5)
  let total = 0
  for (const value of ordered) {
    const left = 1 - Math.abs(total)
    total += total === 0 ? value : Math.sign(value) * Math.min(left, Math.abs(value)) * 0.5 * left
  }
  return total
}

function emphasise(balance: number, message: string): number {
  const marks = /[!！]{2}|[?？]{3}|[?？!！]{4}/.test(message)
  const loud = isShouted(message)
  if (balance === 0) return (marks && /[?？]{3}/.test(message) ? -0.15 : 0) + (loud && marks ? -0.15 : 0)
  return balance * (1 + (marks ? 0.2 : 0) + (loud ? 0.2 : 0))
}

function isShouted(message: string): boolean {
  const letters = message.match(/[A-Za-z]/g) ?? []
  const capitals = message.match(/[A-Z]/g) ?? []
  return letters.length >= SHOUTED_LETTERS && capitals.length / letters.length > 0.7
}

function clamp(value: number): number {
  return Math.round(Math.max(-1, Math.min(1, value)) * 1_000) / 1_000
}

function wordFeelings(folded: string): number[] {
  const feelings: number[] = []
  let words: string[] = []
  const endSentence = (): void => {
    feelings.push(...feelingsIn(words, ' ', ENGLISH, shift))
    words = []
  }
  for (const [token] of folded.matchAll(TOKENS)) {
    if (isHan(token[0]!)) feelings.push(...feelingsIn([...token], '', CHINESE_FEELINGS, chineseShift))
    else if (/[a-z]/.test(token[0]!)) words.push(token)
    else endSentence()
  }
  endSentence()
  return feelings
}

/** Of the terms that begin at a place the longest counts, and what stands right before it makes it more, less or the opposite. */
function feelingsIn(
  units: readonly string[],
  glue: ' ' | '',
  terms: Feelings,
  shiftBy: (before: readonly string[]) => number,
): number[] {
  const feelings: number[] = []
  for (let at = 0; at < units.length; ) {
    let size = Math.min(MAX_TERM, units.length - at)
    while (size > 1 && !terms.has(units.slice(at, at + size).join(glue))) size--
    const value = terms.get(units.slice(at, at + size).join(glue)) ?? 0
    if (value !== 0) feelings.push(value * shiftBy(units.slice(Math.max(0, at - REACH), at)))
    at += size
  }
  return feelings
}

function shift(before: readonly string[]): number {
  let factor = 1
  for (const word of before) {
    if (NEGATIONS.has(word)) factor *= NEGATED
    else if (INTENSIFIERS.has(word)) factor *= INTENSIFIED
    else if (DIMINISHERS.has(word)) factor *= DIMINISHED
  }
  return factor
}

function chineseShift(units: readonly string[]): number {
  const before = units.join('')
  const negated = CHINESE_NEGATIONS.test(before) ? NEGATED : 1
  return CHINESE_INTENSIFIERS.test(before) ? negated * INTENSIFIED : negated
}

function emojiFeelings(message: string): number[] {
  return [...message].flatMap((character) => EMOJI_FEELINGS.get(character) ?? [])
}
