import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Child, newStorage, type Storage, startChild } from '../contract/support/child.ts'
import { docxOf } from '../support/files/office.ts'
import { pdfOf } from '../support/files/pdf.ts'
import { zipOf } from '../support/files/zip.ts'
import { call, upload } from './support/client.ts'

const MEGABYTE = 1024 * 1024
const REFUSED_WITHIN_MS = 5_000
/** A parser that was killed is replaced, and what it held goes back to the system. */
const LARGEST_GROWTH_BYTES = 150 * MEGABYTE

const laughs = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('')
const prolog = `<!DOCTYPE x [<!ENTITY l0 "lol">${laughs}]>`
const zeros = Buffer.alloc(400 * MEGABYTE)

const HOSTILE: [string, string, () => Uint8Array | Promise<Uint8Array>][] = [
  [
    'a zip bomb that says how large it is',
    'bomb.docx',
    () => docxOf('', { extra: [{ name: 'word/a.xml', data: zeros }] }),
  ],
  [
    'a zip bomb that lies about it',
    'liar.docx',
    () => zipOf([{ name: 'word/document.xml', data: zeros, claimedSize: 1_000 }]),
  ],
  ['a PDF of 50,000 pages', 'long.pdf', () => pdfOf(Array.from({ length: 50_000 }, () => []))],
  ['a billion laughs in a document', 'laughs.docx', () => docxOf('<w:p>&l9;</w:p>', { prolog })],
  [
    'a program under the name of a PDF',
    'program.pdf',
    () => readFile(process.execPath).then((all) => all.subarray(0, 20 * MEGABYTE)),
  ],
  [
    'a program under the name of a text',
    'program.txt',
    () => readFile(process.execPath).then((all) => all.subarray(0, 20 * MEGABYTE)),
  ],
  ['brackets 200,000 deep', 'deep.json', () => Buffer.from('['.repeat(200_000) + ']'.repeat(200_000))],
]

const made = new Map<string, Uint8Array>()
async function bytesOf([, name, make]: (typeof HOSTILE)[number]): Promise<Uint8Array> {
  const bytes = made.get(name) ?? (await make())
  made.set(name, bytes)
  return bytes
}

let storage: Storage
let child: Child
beforeAll(async () => {
  storage = await newStorage()
  child = await startChild(storage)
  // The parser is started by the first document; its start is not a refusal's time.
  await upload(child.origin, 'first.pdf', pdfOf([[{ text: 'Returns within 14 days.', x: 50, y: 700 }]]))
})
afterAll(async () => {
  await child.stop('SIGKILL')
  await storage.remove()
})

describe('a file that wants to do harm', () => {
  it.each(HOSTILE)('%s is refused in time while others are served', async (...file) => {
    const [, name] = file
    const bytes = await bytesOf(file)
    const since = performance.now()
    const refusal = upload(child.origin, name, bytes)
    const served = await call(child.origin, 'GET', '/health')
    const servedMs = performance.now() - since
    const { status, body } = await refusal
    const tookMs = performance.now() - since
    console.info(
      `${name}, ${bytes.length} bytes: ${status} after ${Math.round(tookMs)} ms, health after ${Math.round(servedMs)} ms: ${body.detail}`,
    )
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    expect(body).toEqual({ detail: expect.any(String) })
    expect(served.status).toBe(200)
    expect(tookMs).toBeLessThan(REFUSED_WITHIN_MS)
  })

  it('leaves no memory taken and a service that works', async () => {
    const sent = async (times: number): Promise<number> => {
      for (let i = 0; i < times; i++)
        for (const file of HOSTILE) await upload(child.origin, file[1], await bytesOf(file))
      return (await child.memory()) ?? 0
    }
    const early = await sent(1)
    const late = await sent(2)
    console.info(`${Math.round(early / MEGABYTE)} MB, later ${Math.round(late / MEGABYTE)} MB`)
    expect(late).toBeLessThan(early + LARGEST_GROWTH_BYTES)
    const { status } = await upload(
      child.origin,
      'good.pdf',
      pdfOf([[{ text: 'Refunds take three days.', x: 50, y: 700 }]]),
    )
    expect(status).toBe(200)
    const { body } = await call(child.origin, 'GET', '/knowledge/stats')
    expect(body.total_documents + body.total_chunks).toBeGreaterThan(0)
    expect(child.output()).not.toMatch(/"level":"(?:error|fatal)"/)
  })
})
