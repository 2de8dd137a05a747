import { describe, expect, it } from 'vitest'
import { type PdfText, pdfLines, pdfOf } from '../../../../../test/support/files/pdf.ts'
import { chunkDocument } from '../../ingest/chunking/chunk-document.ts'
import { parseDocument } from '../parse-document.ts'

const read = (bytes: Uint8Array, limits = {}) => parseDocument({ fileName: 'a.pdf', bytes }, limits)

describe('PDF', () => {
  it('reads Chinese set in a font that is not embedded, by its predefined CMap', async () => {
    const page = [
      { text: '退货政策说明', x: 50, y: 780, size: 20 },
      ...pdfLines(
        ['买家收到商品后七天之内可以申请退货，退货', '时请保留完整的包装，并联系客服。', '运费由买家承担。'],
        50,
        740,
        12,
      ),
    ]
    const document = await read(pdfOf([page], { font: 'chinese' }))
    expect(document).toMatchObject({ format: 'pdf', title: '退货政策说明', language: 'zh' })
    expect(document.blocks).toEqual([
      { type: 'heading', level: 1, text: '退货政策说明', page: 1 },
      { type: 'paragraph', text: '买家收到商品后七天之内可以申请退货，退货时请保留完整的包装，并联系客服。', page: 1 },
      { type: 'paragraph', text: '运费由买家承担。', page: 1 },
    ])
  })

  it('reads columns one after the other, below a title across both', async () => {
    const column = (name: string) =>
      Array.from({ length: 12 }, (_, i) => `${name} line ${i} of some running text in it.`)
    const page = [
      { text: 'A title across the page', x: 150, y: 780, size: 18 },
      ...pdfLines(column('left'), 50, 740),
      ...pdfLines(column('right'), 310, 740),
    ]
    const [title, left, right] = (await read(pdfOf([page]))).blocks
    expect(title).toMatchObject({ type: 'heading', text: 'A title across the page' })
    expect(left).toMatchObject({ text: column('left').join(' ') })
    expect(right).toMatchObject({ text: column('right').join(' ') })
  })

  it('drops running headers, footers and page numbers, but keeps headings that repeat but for their number', async () => {
    const pages = [1, 2, 3, 4].map((number): PdfText[] => [
      { text: `Shop manual, revision 7, sheet ${number}`, x: 50, y: 815, size: 9 },
      { text: `Chapter ${number}`, x: 50, y: 770, size: 20 },
      ...pdfLines([`The words of chapter ${'abcd'[number - 1]} stand here.`], 50, 730),
      { text: `- ${number} -`, x: 290, y: 30, size: 9 },
    ])
    const document = await read(pdfOf(pages))
    expect(document.blocks.map((block) => 'text' in block && [block.text, block.page])).toEqual(
      [1, 2, 3, 4].flatMap((number) => [
        [`Chapter ${number}`, number],
        [`The words of chapter ${'abcd'[number - 1]} stand here.`, number],
      ]),
    )
    expect(chunkDocument(document).map((chunk) => chunk.page)).toEqual([1, 2, 3, 4])
  })

  it('joins hyphenated words and paragraphs that cross a page', async () => {
    const first = pdfLines(
      ['The buyer may return goods within thirty days and has to keep the orig-', 'inal packaging of everything that'],
      50,
      100,
    )
    const second = pdfLines(['was part of the parcel.'], 50, 780)
    expect((await read(pdfOf([first, second]))).blocks).toEqual([
      {
        type: 'paragraph',
        text: 'The buyer may return goods within thirty days and has to keep the original packaging of everything that was part of the parcel.',
        page: 1,
      },
    ])
  })

  it('recognises tables and lists', async () => {
    const rows = [
      ['Country', 'Fee', 'Days'],
      ['Germany', '5 EUR', '2'],
      ['France', '7 EUR', '3'],
    ]
    const page = [
      ...rows.flatMap((row, i) => row.map((text, j) => ({ text, x: 50 + j * 150, y: 740 - i * 16 }))),
      ...pdfLines(['- first item', '- second item', '  goes on'], 50, 600),
    ]
    expect((await read(pdfOf([page]))).blocks).toMatchObject([
      { type: 'table', header: rows[0], rows: rows.slice(1) },
      { type: 'list', items: ['- first item', '- second item goes on'] },
    ])
  })

  it('pairs questions and takes a useful title from the document information', async () => {
    const page = pdfLines(['Q: How long do I have?', 'A: Seven days.'], 50, 700)
    const document = await read(pdfOf([page], { title: 'Return policy' }))
    expect(document.title).toBe('Return policy')
    expect(chunkDocument(document)).toMatchObject([
      { kind: 'qa', question: 'How long do I have?', content: 'Seven days.', page: 1 },
    ])
    expect((await read(pdfOf([page], { title: 'Microsoft Word - draft.docx' }))).title).toBeNull()
  })

  it('says which pages hold no text, and that a scan holds none at all', async () => {
    expect((await read(pdfOf([pdfLines(['text'], 50, 700), []]))).metadata).toEqual({ pages_without_text: '2' })
    await expect(read(pdfOf([[], []]))).rejects.toMatchObject({
      code: 'empty_document',
      message: expect.stringContaining('OCR'),
    })
  })

  it('refuses a password, too many pages and broken files with the reason', async () => {
    const page = pdfLines(['secret'], 50, 700)
    await expect(read(pdfOf([page], { encrypted: true }))).rejects.toMatchObject({
      code: 'unsupported_file',
      message: expect.stringContaining('password'),
    })
    await expect(read(pdfOf([page, page, page]), { maxPages: 2 })).rejects.toMatchObject({
      code: 'document_too_complex',
      message: expect.stringMatching(/3 pages; at most 2/),
    })
    await expect(read(Buffer.from('%PDF-1.7\nnothing of the kind'))).rejects.toMatchObject({
      code: 'malformed_document',
    })
  })
})
