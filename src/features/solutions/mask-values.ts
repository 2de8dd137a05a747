import { plainForm } from '../../language/fold.ts'
import { isStopWord } from '../../language/words/stop-words.ts'
import { findPersonal } from '../../privacy/index.ts'
import type { CustomerValue } from './customer-values.ts'

export interface MaskedText {
  text: string
  /** The kind of each value that was masked, in order. */
  kinds: string[]
}

interface Span {
  start: number
  end: number
  kind: string
}

const MASK = '***'
/** Shorter values stand in texts by chance. */
const MIN_CHARACTERS: Record<string, number> = { name: 2, account: 4, address: 6 }
const MIN_OTHERS = 5
const MIN_LATIN_NAME = 3
const MIN_PHONE = 7

/**
 * Takes the values out of a text, however they are spaced and punctuated there. Nothing of them stays readable: unlike an
 * agent, nobody who reads what is published has a right to recognise anything.
 *
 * @param everything whatever looks personal goes as well: whose it is could not be found out.
 */
export function maskValues(text: string, values: readonly CustomerValue[], everything: boolean): MaskedText {
  const view = viewOf(text)
  const personal = findPersonal(text)
  const found = values.flatMap((value) => occurrences(text, view, value))
  const whole = found.map((span) => widened(span, personal))
  const spans = merged(everything ? [...whole, ...personal] : whole)
  const parts: string[] = []
  let end = 0
  for (const span of spans) {
    parts.push(text.slice(end, span.start), MASK)
    end = span.end
  }
  return { text: parts.join('') + text.slice(end), kinds: spans.map(({ kind }) => kind) }
}

/** Letters and digits alone, in lower case, with the place of each in the text. */
interface View {
  characters: string
  places: number[]
}

function viewOf(text: string): View {
  const characters: string[] = []
  const places: number[] = []
  let at = 0
  for (const character of text) {
    const plain = plainForm(character)
    for (const unit of plain) {
      if (!/[\p{L}\p{N}]/u.test(unit)) continue
      for (let i = 0; i < unit.length; i++) places.push(at)
      characters.push(unit)
    }
    at += character.length
  }
  places.push(text.length)
  return { characters: characters.join(''), places }
}

function occurrences(text: string, view: View, value: CustomerValue): Span[] {
  const needle = needleOf(value)
  if (needle === null) return []
  const spans: Span[] = []
  for (let at = view.characters.indexOf(needle); at >= 0; at = view.characters.indexOf(needle, at + needle.length)) {
    const start = view.places[at]!
    const last = view.places[at + needle.length - 1]!
    const end = last + String.fromCodePoint(text.codePointAt(last)!).length
    const span = { start, end, kind: value.kind }
    if (fits(text, span, value)) spans.push(span)
  }
  return spans
}

/** The characters to look for; null where the value says too little. */
function needleOf({ text, kind }: CustomerValue): string | null {
  const { characters } = viewOf(text)
  if (kind === 'phone') {
    const national = characters.replace(/^86(?=1[3-9]\d{9}$)|^1(?=[2-9]\d{9}$)/, '')
    return national.length >= MIN_PHONE ? national : null
  }
  const isLatinName = kind === 'name' && /^[a-z]/.test(characters)
  const least = isLatinName ? MIN_LATIN_NAME : (MIN_CHARACTERS[kind] ?? MIN_OTHERS)
  return characters.length >= least ? characters : null
}

/** Whether what was found is the value, and no part of a longer word or number. */
function fits(text: string, { start, end, kind }: Span, { text: value, asWritten }: CustomerValue): boolean {
  // A country's code may stand before a phone number.
  if (kind !== 'phone' && goesOn(text[start - 1], text[start])) return false
  if (goesOn(text[end - 1], text[end])) return false
  if (!asWritten) return true
  if (text.slice(start, end) !== value) return false
  return !isStopWord(value.toLowerCase()) || !beginsSentence(text, start)
}

/** "May" begins a question more often than a name does. */
function beginsSentence(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 8), start)
  return before.includes('\n') || /^$|[.!?]$/.test(before.trimEnd())
}

function goesOn(before: string | undefined, after: string | undefined): boolean {
  const isWord = (character: string | undefined): boolean => character !== undefined && /[A-Za-z0-9]/.test(character)
  return isWord(before) && isWord(after)
}

/** A value goes together with what stands around it as one: the house number with the street, the code with the number. */
function widened(span: Span, personal: readonly Span[]): Span {
  const around = personal.filter(({ start, end }) => start < span.end && end > span.start)
  const start = Math.min(span.start, ...around.map((each) => each.start))
  const kind = around.find((each) => each.start <= span.start && each.end >= span.end)?.kind ?? span.kind
  return { kind, start, end: Math.max(span.end, ...around.map((each) => each.end)) }
}

function merged(spans: readonly Span[]): Span[] {
  const kept: Span[] = []
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const previous = kept.at(-1)
    if (previous && span.start < previous.end) previous.end = Math.max(previous.end, span.end)
    else kept.push({ ...span })
  }
  return kept
}
