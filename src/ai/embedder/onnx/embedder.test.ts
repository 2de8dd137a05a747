// Own process: the model takes a gigabyte, which stays taken.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeOnnxModel } from '../../../../test/support/onnx-model.ts'
import { createTestApp } from '../../../../test/support/test-app.ts'
import { type OnnxEmbedder, openOnnxEmbedder } from './embedder.ts'

/** Two words for each of three things, in pieces too. */
const MEANINGS = [
  ['parcel', 0],
  ['package', 0],
  ['refund', 1],
  ['money', 1],
  ['退', 1],
  ['lamp', 2],
  // No list of synonyms has these.
  ['zorb', 3],
  ['quux', 3],
  ['##s', 7],
] as const
const DIMENSIONS = 8

let root: string
let folder: string
let embedder: OnnxEmbedder
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'frontdesk-onnx-'))
  folder = join(root, 'tiny')
  await writeOnnxModel(folder, MEANINGS, DIMENSIONS)
  embedder = await openOnnxEmbedder(folder)
})
afterAll(async () => {
  await embedder.close()
  rmSync(root, { recursive: true, force: true })
})

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0)
async function likeness(a: string, b: string, by = embedder): Promise<number> {
  const [first, second] = await by.embed([a, b], 'document')
  return dot(first!, second!)
}

describe('the ONNX embedder', () => {
  it('gives vectors of length 1 that tell what means the same', async () => {
    expect(embedder.dimensions).toBe(DIMENSIONS)
    expect(await likeness('parcel', 'package')).toBeCloseTo(1)
    expect(await likeness('Refund', '退')).toBeCloseTo(1)
    expect(await likeness('parcel', 'lamp')).toBeCloseTo(0)
    expect(await likeness('parcel lamp', 'lamp')).toBeCloseTo(Math.SQRT1_2)
    expect(await likeness('lamps', 'lamp')).toBeCloseTo(Math.SQRT1_2)
  })

  it('does not let padding change a vector', async () => {
    const [alone] = await embedder.embed(['money'], 'document')
    const [padded] = await embedder.embed(['money', 'lamp '.repeat(200)], 'document')
    expect([...padded!]).toEqual([...alone!])
  })

  it('keeps the order of many texts and takes texts without content and of any length', async () => {
    const texts = Array.from({ length: 30 }, (_, i) =>
      i % 3 === 0 ? 'lamp' : i % 3 === 1 ? '' : 'money '.repeat(5_000),
    )
    const vectors = await embedder.embed(texts, 'query')
    expect(vectors.map((vector) => vector.indexOf(1))).toEqual(texts.map((_, i) => [2, -1, 1][i % 3]))
  })

  it('takes the first token where the model’s folder says so', async () => {
    const other = join(root, 'first')
    cpSync(folder, other, { recursive: true })
    await mkdir(join(other, '1_Pooling'))
    writeFileSync(join(other, '1_Pooling/config.json'), '{"pooling_mode_cls_token": true}')
    const first = await openOnnxEmbedder(other)
    // The first token is [CLS], which means nothing to this model.
    const [vector] = await first.embed(['lamp'], 'document')
    expect([...vector!]).toEqual(new Array(DIMENSIONS).fill(0))
    expect(first.id).not.toBe(embedder.id.replace('tiny', 'first'))
    await first.close()
  })

  it('has another id with other weights and the same one with the same', async () => {
    const same = await openOnnxEmbedder(folder)
    expect(same.id).toBe(embedder.id)
    const changed = join(root, 'changed', 'tiny')
    await writeOnnxModel(changed, [['parcel', 3]], DIMENSIONS)
    const other = await openOnnxEmbedder(changed)
    expect(other.id).not.toBe(embedder.id)
    await Promise.all([same.close(), other.close()])
  })

  it('says why a folder cannot be used', async () => {
    await expect(openOnnxEmbedder(root)).rejects.toThrow(/holds none of model\.onnx/)
    const broken = join(root, 'broken')
    cpSync(folder, broken, { recursive: true })
    writeFileSync(join(broken, 'vocab.txt'), 'parcel\n')
    await expect(openOnnxEmbedder(broken)).rejects.toThrow('vocab.txt has no [UNK]')
    writeFileSync(join(broken, 'model.onnx'), 'no model')
    await expect(openOnnxEmbedder(broken)).rejects.toThrow(/^The embedding model cannot be used: /)
  })

  it('refuses after its thread ended, and stops when the caller leaves', async () => {
    const closed = await openOnnxEmbedder(folder)
    await expect(closed.embed(['lamp'], 'query', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
    await closed.close()
    await expect(closed.embed(['lamp'], 'query')).rejects.toThrow('its thread ended')
  })
})

describe('EMBEDDING_MODEL_DIR', () => {
  it('finds passages that share a meaning and no word with the question', async () => {
    const query = { query: 'When is my zorb here?' }
    const topOf = async (
      environment: Record<string, string>,
    ): Promise<{ source: string; score: number } | undefined> => {
      const app = await createTestApp(environment)
      try {
        await app.upload('# Light\n\nEvery lamp glows for years.', 'lamp.md')
        await app.upload('# Sending\n\nA quux travels two days.', 'quux.md')
        await app.upload('# Paying back\n\nMoney returns within a week.', 'money.md')
        return (await app.call('POST', '/api/v1/agent/sessions/any/knowledge-recommend', query)).body.chunks[0]
      } finally {
        await app.close()
      }
    }
    expect((await topOf({ EMBEDDING_MODEL_DIR: folder }))?.source).toBe('quux.md')
    expect((await topOf({}))?.source).not.toBe('quux.md')
  })

  it('is refused at start when it cannot be used', async () => {
    const start = (environment: Record<string, string>) => createTestApp({ EMBEDDING_MODEL_DIR: root, ...environment })
    await expect(start({})).rejects.toThrow(/^Wrong settings: EMBEDDING_MODEL_DIR .* holds none of/)
    await expect(start({ EMBEDDING_BASE_URL: 'http://localhost:1/v1' })).rejects.toThrow(/both set/)
  })
})
