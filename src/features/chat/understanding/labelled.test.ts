import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { INTENTS, type Intent } from '../../../language/understanding.ts'
import { type ExampleSentence, loadIntentExamples } from './examples.ts'
import { DEFAULT_EXAMPLES_DIRECTORY, loadUnderstand } from './load.ts'

type Labelled = { id: string; lang: 'zh' | 'en'; intent: Intent; text: string }

const FILE = new URL('../../../../bench/data/intents.jsonl', import.meta.url)
const TOO_ALIKE = 0.8
let labelled: Labelled[]
let examples: ExampleSentence[]

beforeAll(async () => {
  const lines = (await readFile(FILE, 'utf8')).trim().split('\n')
  labelled = lines.map((line) => JSON.parse(line) as Labelled)
  examples = (await loadIntentExamples(DEFAULT_EXAMPLES_DIRECTORY)).sentences
})

describe('the labelled sentences', () => {
  it('are many, in both languages, over every intent, and each stands once', () => {
    expect(labelled.length).toBeGreaterThanOrEqual(320)
    expect(new Set(labelled.map(({ text }) => text)).size).toBe(labelled.length)
    for (const intent of INTENTS)
      for (const lang of ['zh', 'en'])
        expect(labelled.filter((row) => row.intent === intent && row.lang === lang).length).toBeGreaterThanOrEqual(15)
  })

  it('are apart from the examples: none is contained in one or nearly the same', () => {
    const learnt = examples.map(({ text }) => ({ text: plain(text), pairs: pairsOf(text) }))
    const copies = labelled.filter(({ text }) => {
      const own = { text: plain(text), pairs: pairsOf(text) }
      return learnt.some((other) => other.text.includes(own.text) || likeness(own.pairs, other.pairs) >= TOO_ALIKE)
    })
    expect(copies).toEqual([])
  })

  it('are understood nine times in ten', async () => {
    const understand = await loadUnderstand()
    const right = labelled.filter(({ text, intent }) => understand(text).intent === intent)
    expect(right.length / labelled.length).toBeGreaterThanOrEqual(0.9)
  })
})

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

function pairsOf(text: string): Set<string> {
  const letters = plain(text).replaceAll(' ', '')
  return new Set(Array.from({ length: Math.max(0, letters.length - 1) }, (_, i) => letters.slice(i, i + 2)))
}

/** Jaccard similarity of two sets of character pairs. */
function likeness(a: Set<string>, b: Set<string>): number {
  if (Math.min(a.size, b.size) < TOO_ALIKE * Math.max(a.size, b.size)) return 0
  let shared = 0
  for (const pair of a) if (b.has(pair)) shared++
  return shared / (a.size + b.size - shared)
}
