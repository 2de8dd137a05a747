import { withoutInvisible } from '../../../kernel/invisible.ts'
import { parseChineseNumber } from '../../../language/numerals.ts'
import { createCitations } from './citations.ts'
import { CHINESE_FIGURE, type Evidence } from './evidence.ts'
import { hidesLink, replaceLinks } from './links.ts'

export interface GuardOptions {
  evidence: Evidence
  citing: Citing
  /** Text that must not be repeated. */
  secret: string
}

/** Passages by the numbers that a model was given them under. */
export interface Citing {
  exists: (passage: number) => boolean
  /** The number that customers see in the place of a passage's that exists; asked in the order of the text. */
  numberOf: (passage: number) => number
}

/**
 * A run that may turn out to be a figure, an address or a citation is held until it is over. Looking back, a search
 * begins once in a run and not at each of its characters.
 */
const OPEN_RUN =
  /(?:(?<![\p{L}\p{N}@:/.%+,¥$€£~#_[\]-])(?=[\p{L}\p{N}@:/.%+,¥$€£~#_[\]-]*[\d@[/])[\p{L}\p{N}@:/.%+,¥$€£~#_[\]-]+|(?<![零〇一二两三四五六七八九十百千万])[零〇一二两三四五六七八九十百千万]+个?)$/u
/** Capitals inside a sentence may become a name; at its start they say nothing, and its first word must not wait. */
const OPEN_NAME = /(?:^|[^\p{L}'-])(\p{Lu}[\p{L}'-]*(?: \p{Lu}[\p{L}'-]*)* ?)$/u
const PROMISE_START =
  /\b(?:I|we)(?:'ll|’ll| will| am going| are going)\b|(?:我|我们|同事|客服)(?:会|将|马上|立即|稍后)|稍后|随后/i
const PROMISE =
  /\b(?:I|we)(?:'ll|’ll| will| am going to| are going to) (?:\w+ )?(?:get back|follow up|call|contact|e-?mail|check|look into|let you know|update you|notify|investigate|arrange)\b|(?:我|我们|同事|客服)?(?:会|将|马上|立即|稍后|随后)[^。！？]{0,8}(?:回复|回电|联系|跟进|致电|安排|核实|反馈|通知)/i
const CLAUSE_END = /[.!?。！？;；\n]/
const MAX_HELD = 400
const LEAK_LENGTH = 32
/** An address whose end is not there yet: a point after a letter or digit, or a part of what follows. */
const OPEN_LINK = /(?:(?<=[a-z0-9])\\?[.．]|(?<=[a-z0-9])[。｡])[a-z0-9_\\.．。｡:/?#=&%+~-]*$/i
/** So much of what was said may belong to an address that goes on. */
const LINK_LENGTH = 100

export type Guard = ReturnType<typeof createGuard>

/** Looks at a model's words on their way to the customer and lets through only what the evidence supports. */
export function createGuard({ evidence, citing, secret }: GuardOptions) {
  const secrets = shingles(secret)
  let held = ''
  let clause = ''
  let tail = ''
  let removed = false
  let leaking = false
  let written = ''
  let visible = ''
  const seen = withoutUnseen()
  const citations = createCitations(citing.exists)

  function release(text: string): string {
    const refuse = (): string => {
      removed = true
      return '…'
    }
    const linked = replaceLinks(written + text, written.length, (address) =>
      evidence.hasAddress(address) ? null : refuse(),
    )
    const checked = checkWords(linked, clause, { evidence, citing }, refuse)
    written = (written + text).slice(-LINK_LENGTH)
    tail = (tail + squeeze(checked)).slice(-LEAK_LENGTH * 4)
    if (secrets.size > 0 && repeats(tail, secrets)) {
      leaking = true
      return ''
    }
    clause = (clause + checked).split(CLAUSE_END).at(-1) ?? ''
    return checked
  }

  return {
    /** The part of the text so far that may be sent now. Plain words pass at once; figures wait for their end. */
    push(delta: string): string {
      if (leaking) return ''
      const more = seen(visible, delta)
      visible = (visible + more).slice(-4)
      held += citations.push(more)
      if (held.length > MAX_HELD) return flush()
      const promise = PROMISE_START.exec(clause + held)
      if (promise) return releasePromise(false)
      const ready = held.slice(0, openFrom(held, clause, written))
      held = held.slice(ready.length)
      return release(ready)
    },
    /** The rest that was still held back. */
    end(): string {
      if (leaking) return ''
      held += citations.end()
      return flush()
    },
    /** Something was left out. */
    get removed(): boolean {
      return removed
    },
    /** The model recited its instructions: stop it, and send nothing more of it. */
    get leaking(): boolean {
      return leaking
    },
  }

  function flush(): string {
    if (PROMISE_START.test(clause + held)) return releasePromise(true)
    const rest = held
    held = ''
    return release(rest)
  }

  /** A clause that starts like a promise waits for its end; a promise of later work is dropped. */
  function releasePromise(final: boolean): string {
    const end = held.search(CLAUSE_END)
    if (end < 0 && !final) return ''
    const whole = end < 0 ? held : held.slice(0, end + 1)
    held = held.slice(whole.length)
    if (PROMISE.test(clause + whole) && !evidence.hasText(whole.trim())) {
      removed = true
      clause = ''
      return ''
    }
    const released = release(whole)
    clause = ''
    return released + (final && held !== '' ? release(held) : '')
  }
}

/** Readers of the reply see what was checked. Joiners of emoji are judged with what they join. */
function withoutUnseen(): (before: string, delta: string) => string {
  let joiner = ''
  return (before, delta) => {
    const text = joiner + delta
    joiner = /\u200D$/.exec(text)?.[0] ?? ''
    const whole = withoutInvisible(before + text.slice(0, text.length - joiner.length))
    return whole.slice(withoutInvisible(before).length)
  }
}

/** Where in `held` something begins that is not at its end yet: a figure, an address, or a name. */
function openFrom(held: string, clause: string, written: string): number {
  const link = (OPEN_LINK.exec(written + held)?.index ?? Infinity) - written.length
  const run = Math.min(OPEN_RUN.exec(held)?.index ?? held.length, Math.max(link, 0))
  if (clause.trim() === '' && !/[.!?。！？\n]/.test(held) && !/\s\S/.test(held.trimStart())) return run
  const name = OPEN_NAME.exec(held)
  return name ? Math.min(run, held.length - (name[1] as string).length) : run
}

const WORDS =
  /(?<![\p{L}\p{N}@:/.%+,¥$€£~#_[\]-])(?=[\p{L}\p{N}@:/.%+,¥$€£~#_[\]-]*[\d@/[])[\p{L}\p{N}@:/.%+,¥$€£~#_[\]-]+/gu
const LIST_MARKER = /^\d{1,2}[.)、]$/
/** Two capitalised words in a row; at the start of a sentence a capital says nothing. */
const NAMES = /\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)+/gu

function checkWords(
  text: string,
  before: string,
  { evidence, citing }: Pick<GuardOptions, 'evidence' | 'citing'>,
  refuse: () => string,
): string {
  const withFigures = text.replace(WORDS, (word) => {
    if (LIST_MARKER.test(word)) return word
    return isSupported(word, evidence) ? withCitations(word, citing) : refuse()
  })
  const withNumerals = withFigures.replace(CHINESE_FIGURE, (numeral) =>
    numeral === '一' || evidence.hasNumber(String(parseChineseNumber(numeral))) ? numeral : refuse(),
  )
  return withNumerals.replace(NAMES, (name, offset: number) => {
    return isSentenceEnd(before + withNumerals.slice(0, offset)) || evidence.hasText(name) ? name : refuse()
  })
}

/** Also when nothing was said yet. */
function isSentenceEnd(text: string): boolean {
  const words = text.trimEnd()
  return words === '' || /[.!?。！？]$/.test(words) || text.slice(words.length).includes('\n')
}

/** Citations by the numbers that customers see, each once in a row. */
function withCitations(word: string, { numberOf }: Citing): string {
  return word
    .replace(/\[(\d{1,6})\]/g, (_, index: string) => `[${numberOf(Number(index))}]`)
    .replace(/(\[\d+\])(?:\1)+/g, '$1')
}

function isSupported(word: string, evidence: Evidence): boolean {
  const bare = word.replace(/\[\d+\]/g, '').replace(/(?<![.,:;~-])[.,:;~-]+$/, '')
  if (/@|:\/\/|^www\./.test(bare) || hidesLink(bare)) return evidence.hasAddress(bare)
  const numbers = bare.match(/\d+(?:[.,:]\d+)*/g) ?? []
  return numbers.every((number) => evidence.hasNumber(number))
}

function squeeze(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}

function shingles(secret: string): Set<string> {
  const text = squeeze(secret)
  const parts = new Set<string>()
  for (let i = 0; i + LEAK_LENGTH <= text.length; i++) parts.add(text.slice(i, i + LEAK_LENGTH))
  return parts
}

function repeats(text: string, secrets: ReadonlySet<string>): boolean {
  for (let i = 0; i + LEAK_LENGTH <= text.length; i++) if (secrets.has(text.slice(i, i + LEAK_LENGTH))) return true
  return false
}
