import { readFile } from 'node:fs/promises'
import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Child, newStorage, type Storage, startChild } from '../contract/support/child.ts'
import { docxOf, pptxOf, xlsxOf } from '../support/files/office.ts'
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

const deflated = deflateSync(zeros.subarray(0, 200 * MEGABYTE))
/** A page whose content is packed as often as `filters` says. */
function packedPdf(content: Buffer, filters: string): Buffer {
  const object = (number: number, text: string): string => `${number} 0 obj${text}endobj\n`
  return Buffer.concat([
    Buffer.from(
      `%PDF-1.4\n${object(1, '<</Type/Catalog/Pages 2 0 R>>')}${object(2, '<</Type/Pages/Kids[3 0 R]/Count 1>>')}` +
        `${object(3, '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>')}` +
        `4 0 obj<</Length ${content.length}/Filter[${filters}]>>stream\n`,
    ),
    content,
    Buffer.from('\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF'),
  ])
}
const nestedMail = (levels: number): string => {
  const part = (level: number) => `Content-Type: multipart/mixed; boundary="b${level}"\r\n\r\n--b${level}\r\n`
  return `From: a@example.com\r\nMIME-Version: 1.0\r\n${Array.from({ length: levels }, (_, i) => part(i)).join('')}text`
}
const bomb = docxOf('', { extra: [{ name: 'word/a.xml', data: zeros }] })

/** May be read, in part or not at all; the service stands, and others are served meanwhile. */
const HEAVY: [string, string, () => Uint8Array][] = [
  ['a page that unpacks to 200 MB', 'page.pdf', () => packedPdf(deflated, '/FlateDecode')],
  ['a page that is packed twice', 'twice.pdf', () => packedPdf(deflateSync(deflated), '/FlateDecode/FlateDecode')],
  [
    'a page that hangs on itself',
    'loop.pdf',
    () =>
      Buffer.from(
        packedPdf(deflateSync(Buffer.from('q')), '/FlateDecode')
          .toString('latin1')
          .replace('/Kids[3 0 R]', '/Kids[2 0 R]'),
        'latin1',
      ),
  ],
  ['a bomb in a document', 'nested.docx', () => docxOf('', { extra: [{ name: 'word/inner.docx', data: bomb }] })],
  [
    'a sheet of a million cells',
    'cells.xlsx',
    () => xlsxOf([{ name: 'S', rows: [], xml: '<row><c><v>1</v></c><c><v>2</v></c></row>'.repeat(500_000) }]),
  ],
  [
    'a deck of 3,000 slides',
    'deck.pptx',
    () => pptxOf(Array.from({ length: 3_000 }, () => ({ title: 'S', bullets: [] }))),
  ],
  ['paragraphs 200,000 deep', 'deep.docx', () => docxOf('<w:p>'.repeat(200_000))],
  ['pages 200,000 deep', 'deep.html', () => Buffer.from('<div>'.repeat(200_000))],
  ['quotes 5,000 deep', 'deep.md', () => Buffer.from(`${'> '.repeat(5_000)}x`)],
  [
    'lists 500 deep',
    'lists.md',
    () => Buffer.from(Array.from({ length: 500 }, (_, i) => `${' '.repeat(2 * i)}- x`).join('\n')),
  ],
  ['a row of 50,000 columns', 'wide.csv', () => Buffer.from(`${'a,'.repeat(50_000)}a\n${'1,'.repeat(50_000)}1\n`)],
  ['10,000 objects', 'many.jsonl', () => Buffer.from('{}\n'.repeat(10_000))],
  ['objects 100,000 deep', 'objects.json', () => Buffer.from(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)],
  ['mail 500 deep', 'deep.eml', () => Buffer.from(nestedMail(500))],
  [
    'a mail of 10,000 headers',
    'headers.eml',
    () => Buffer.from(`From: a@example.com\r\n${'X: y\r\n'.repeat(10_000)}\r\ntext`),
  ],
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

  it.each(HEAVY)('%s: others are served meanwhile, and the service stands', async (_, name, make) => {
    const bytes = make()
    const since = performance.now()
    const answer = upload(child.origin, name, bytes)
    const served = await call(child.origin, 'GET', '/health')
    const servedMs = performance.now() - since
    const { status, body } = await answer
    const said = body.detail ?? body.status
    console.info(
      `${name}, ${bytes.length} bytes: ${status} after ${Math.round(performance.now() - since)} ms, health after ${Math.round(servedMs)} ms: ${said}`,
    )
    expect(served.status).toBe(200)
    expect(status, JSON.stringify(body)).toBeLessThan(500)
    if (status >= 400) expect(body).toEqual({ detail: expect.any(String) })
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
