import { afterEach, describe, expect, it } from 'vitest'
import { docxOf, wordParagraph } from '../../../../test/support/files/office.ts'
import { pdfOf } from '../../../../test/support/files/pdf.ts'
import { createParserPool, type ParserPool, type ParserPoolOptions } from './parser-pool.ts'

let pool: ParserPool | undefined
const open = (options: Partial<ParserPoolOptions> = {}) => {
  pool = createParserPool(options)
  return pool
}
afterEach(() => pool?.close())

const text = (fileName: string, content: string) => ({ fileName, bytes: new TextEncoder().encode(content) })
/** Takes micromark seconds. */
const slow = text('slow.md', '- *a* [b](c)\n'.repeat(400_000))
const quick = text('quick.md', '# Title\n\n## How long?\n\nSeven days.')

describe('the parser pool', () => {
  it('returns the chunks of a document and leaves the bytes alone', async () => {
    const input = { fileName: 'a.docx', bytes: docxOf(wordParagraph('Seven days.')) }
    expect(await open().parse(input)).toMatchObject({
      format: 'docx',
      chunks: [{ ordinal: 0, content: 'Seven days.' }],
    })
    expect(input.bytes.length).toBeGreaterThan(100)
  })

  it('reports what is wrong with a file as parseDocument does', async () => {
    await expect(open().parse(text('a.exe', 'x'))).rejects.toMatchObject({
      kind: 'bad_request',
      code: 'unsupported_file',
    })
  })

  it('serves more documents than it has workers', async () => {
    const { parse } = open({ size: 2 })
    const documents = await Promise.all(Array.from({ length: 6 }, () => parse(quick)))
    expect(documents.every((document) => document.chunks[0]?.question === 'How long?')).toBe(true)
  })

  it('kills a document that takes too long and goes on with the next', async () => {
    const { parse } = open({ timeoutMs: 2_000 })
    const killed = expect(parse(slow)).rejects.toMatchObject({
      kind: 'bad_request',
      code: 'parse_timeout',
      message: expect.stringContaining('slow.md'),
    })
    expect(await parse(quick)).toMatchObject({ title: 'Title' })
    await killed
  })

  it('kills a document that takes too much memory and goes on with the next', async () => {
    const rows = text(
      'huge.json',
      JSON.stringify(Array.from({ length: 500_000 }, (_, i) => ({ id: i, a: { b: `x${i}` }, c: [i, i] }))),
    )
    const { parse } = open({ maxMemoryMb: 250 })
    await expect(parse(rows)).rejects.toMatchObject({
      kind: 'bad_request',
      code: 'document_too_complex',
      message: expect.stringContaining('memory'),
    })
    expect(await parse(quick)).toMatchObject({ title: 'Title' })
  })

  it('stops at once when the caller gives up, whether running or waiting', async () => {
    const { parse } = open()
    const running = new AbortController()
    const waiting = new AbortController()
    const first = parse(slow, running.signal)
    const second = parse(quick, waiting.signal)
    waiting.abort(new Error('left the queue'))
    await expect(second).rejects.toThrow('left the queue')
    running.abort(new Error('left'))
    await expect(first).rejects.toThrow('left')
    await expect(parse(quick, AbortSignal.abort(new Error('never came')))).rejects.toThrow('never came')
    expect(await parse(quick)).toMatchObject({ title: 'Title' })
  })

  it('rejects what runs, what waits and what comes later when closed', async () => {
    const { parse, close } = open()
    const pending = [parse(slow), parse(quick)].map((answer) =>
      expect(answer).rejects.toMatchObject({ code: 'shutting_down' }),
    )
    await close()
    await Promise.all(pending)
    await expect(parse(quick)).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it('refuses a PDF of 50,000 pages', async () => {
    const bytes = pdfOf(Array.from({ length: 50_000 }, () => []))
    await expect(open({ timeoutMs: 5_000 }).parse({ fileName: 'long.pdf', bytes })).rejects.toMatchObject({
      code: 'document_too_complex',
      message: expect.stringMatching(/50000 pages; at most 2000/),
    })
  })
})
