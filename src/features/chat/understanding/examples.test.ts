import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadIntentExamples } from './examples.ts'
import { DEFAULT_EXAMPLES_DIRECTORY, loadUnderstand } from './load.ts'

let directory: string
const write = (name: string, text: string) => writeFile(join(directory, name), text)

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'intents-'))
})
afterEach(() => rm(directory, { recursive: true }))

describe('loadIntentExamples', () => {
  it('reads sentences, additions of one’s own and concepts, and skips comments', async () => {
    await write('refund.txt', '# about returns\n\nI want a refund\n')
    await write('refund.mine.txt', '把钱还我\r\n')
    await write('concepts.txt', '# synonyms\nparcel: package, 包裹\n')
    await write('notes.md', 'not an example file')
    const { sentences, concepts } = await loadIntentExamples(directory)
    expect(sentences).toEqual([
      { intent: 'refund', text: '把钱还我' },
      { intent: 'refund', text: 'I want a refund' },
    ])
    expect(concepts).toEqual([{ name: 'parcel', terms: ['package', '包裹'] }])
  })

  it('names what changed by another fingerprint', async () => {
    await write('refund.txt', 'I want a refund')
    const before = await loadIntentExamples(directory)
    await write('refund.txt', 'I want my refund')
    const after = await loadIntentExamples(directory)
    expect(after.fingerprint).not.toBe(before.fingerprint)
  })

  it.each([
    ['returns.txt', 'x', /returns\.txt.*no intent/],
    ['concepts.txt', 'no colon here', /concepts\.txt:1/],
    ['faq.txt', `fine\n${'long '.repeat(150)}`, /faq\.txt:2.*500/],
    ['faq.txt', 'I want a refund', /stands under faq and under refund/],
  ])('refuses %s with %j', async (name, text, message) => {
    await write('refund.txt', 'i want a refund')
    await write(name, text)
    await expect(loadIntentExamples(directory)).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringMatching(message),
    })
  })

  it('refuses an empty directory', async () => {
    await expect(loadIntentExamples(directory)).rejects.toMatchObject({ kind: 'invalid' })
  })

  it('has every intent in the files that come along', async () => {
    const { sentences, concepts } = await loadIntentExamples(DEFAULT_EXAMPLES_DIRECTORY)
    expect(new Set(sentences.map(({ intent }) => intent)).size).toBe(11)
    expect(new Set(concepts.map(({ name }) => name)).size).toBe(concepts.length)
  })
})

describe('loadUnderstand', () => {
  it('learns from a sentence that a user adds', async () => {
    await write('technical.txt', 'the flux capacitor hums\nthe app crashes')
    await write('product.txt', 'which colour does it have\nhow big is it')
    const understand = await loadUnderstand(directory)
    expect(understand('our flux capacitor hums again').intent).toBe('technical')
    await write('technical.mine.txt', '量子罩嗡嗡响')
    expect((await loadUnderstand(directory))('量子罩又响了').intent).toBe('technical')
  })
})
