import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { compareWithKnown, type Failures } from '../support/ratchet.ts'
import { type Judgement, judgements } from './consumers.ts'
import { type Message, readMessages } from './messages.ts'

/**
 * One message, one reading: every place that judges a message must come to what a good clerk would. `known-disagreements.json`
 * lists what fails today; it may only become shorter (`RATCHET=shrink` takes off what has healed).
 */
const KNOWN = join(import.meta.dirname, 'known-disagreements.json')
const messages = readMessages(join(import.meta.dirname, 'messages.jsonl'))

interface Outcome {
  message: Message
  isAsked: boolean
  expected: unknown
  got: Record<string, unknown>
  /** Places that come to something else than expected. */
  wrong: string[]
  /** The places do not all come to the same. */
  differs: boolean
}

function ask({ expected: expectedOf, consumers, always = false }: Judgement, message: Message): Outcome {
  const expected = expectedOf(message)
  const isAsked = expected !== undefined
  if (!isAsked && !always) return { message, isAsked, expected, got: {}, wrong: [], differs: false }
  const got = Object.fromEntries(Object.entries(consumers).map(([name, consumer]) => [name, consumer(message)]))
  const [first, ...others] = Object.values(got)
  return {
    message,
    isAsked,
    expected,
    got,
    wrong: isAsked ? Object.keys(got).filter((name) => !isDeepStrictEqual(got[name], expected)) : [],
    differs: others.some((other) => !isDeepStrictEqual(other, first)),
  }
}

const outcomes = Object.entries(judgements).map(
  ([name, judgement]) => [name, messages.map((message) => ask(judgement, message))] as const,
)

function failuresOf(judgement: string, found: readonly Outcome[]): Failures {
  const failing = found.map(({ message, wrong, differs }): [string, string[]] => [
    message.id,
    [...wrong.map((place) => `${judgement}.${place}`), ...(differs ? [`${judgement} differs`] : [])],
  ])
  return Object.fromEntries(failing.filter(([, checks]) => checks.length > 0))
}

/** What a person needs to judge a check that is new on the list. */
function explain(check: string): string {
  const [id = '', rest = ''] = check.split(/ (.*)/s)
  const judgement = rest.split(/[. ]/)[0]
  const [, found = []] = outcomes.find(([name]) => name === judgement) ?? []
  const outcome = found.find(({ message }) => message.id === id)
  return `${check}: ${outcome?.message.text} → expected ${JSON.stringify(outcome?.expected)}, got ${JSON.stringify(outcome?.got)}`
}

describe('the messages', () => {
  it('are 330 at least, half of them Chinese, each with an id and a text of its own', () => {
    expect(messages.length).toBeGreaterThanOrEqual(330)
    expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length)
    expect(new Set(messages.map(({ text }) => text)).size).toBe(messages.length)
    const chinese = messages.filter(({ id }) => id.startsWith('zh-')).length
    expect(chinese / messages.length).toBeGreaterThan(0.45)
    expect(chinese / messages.length).toBeLessThan(0.55)
  })

  it('hold the numerals whose values they give', () => {
    for (const { text, numerals = {} } of messages)
      for (const numeral of Object.keys(numerals)) expect(text).toContain(numeral)
  })
})

describe('every place that judges a message comes to the same, and to what a clerk would', () => {
  it.each(Object.keys(judgements))('%s', (judgement) => {
    const failing = Object.fromEntries(
      outcomes.filter(([name]) => name === judgement).map(([name, found]) => [name, failuresOf(name, found)]),
    )
    const { fresh, healed } = compareWithKnown(KNOWN, failing[judgement] ?? {}, (check) => belongsTo(check, judgement))
    expect(fresh.map(explain), 'fails and is not listed').toEqual([])
    expect(healed, 'holds: take it off the list').toEqual([])
  })

  it('lists nothing that nobody asks', () => {
    const strays = compareWithKnown(
      KNOWN,
      {},
      (check) => !Object.keys(judgements).some((name) => belongsTo(check, name)),
    )
    expect(strays.healed).toEqual([])
  })
})

function belongsTo(check: string, judgement: string): boolean {
  return check.startsWith(`${judgement}.`) || check.startsWith(`${judgement} `)
}

afterAll(() => {
  console.table(
    Object.fromEntries(
      outcomes.map(([judgement, found]) => [
        judgement,
        {
          places: Object.keys(judgements[judgement]?.consumers ?? {}).length,
          asked: found.filter(({ isAsked }) => isAsked).length,
          'as expected': found.filter(({ isAsked, wrong }) => isAsked && wrong.length === 0).length,
          'places differ': found.filter(({ differs }) => differs).length,
        },
      ]),
    ),
  )
})
