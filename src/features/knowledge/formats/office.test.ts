import { describe, expect, it } from 'vitest'
import { docxOf, pptxOf, wordParagraph, wordTable, xlsxOf } from '../../../../test/support/files/office.ts'
import { zipOf } from '../../../../test/support/files/zip.ts'
import { openArchive } from './office/archive.ts'
import { parseDocument } from './parse-document.ts'

const read = (fileName: string, bytes: Uint8Array) => parseDocument({ fileName, bytes })

describe('Word', () => {
  it('keeps headings, lists of questions, tables and the title', async () => {
    const body =
      wordParagraph('How long do I have?', 'Heading2') +
      wordParagraph('Seven <days> & more.') +
      wordTable([
        ['Country', 'Fee'],
        ['Spain', '9 EUR'],
      ]) +
      wordParagraph('问：多久？') +
      wordParagraph('答：七天。')
    const document = await read('a.docx', docxOf(body, { title: 'Returns' }))
    expect(document).toMatchObject({ format: 'docx', title: 'Returns', metadata: { creator: 'Ann' } })
    expect(document.blocks).toMatchObject([
      { type: 'heading', level: 2, text: 'How long do I have?' },
      { type: 'paragraph', text: 'Seven <days> & more.' },
      {
        type: 'table',
        rows: [
          ['Country', 'Fee'],
          ['Spain', '9 EUR'],
        ],
      },
      { type: 'qa', question: '多久？', answer: [{ text: '七天。' }] },
    ])
  })

  it('is recognised whatever its name says, and pictures cost nothing', async () => {
    const picture = { name: 'word/media/image1.png', data: new Uint8Array(1000) }
    expect((await read('misnamed.pdf', docxOf(wordParagraph('text'), { extra: [picture] }))).format).toBe('docx')
  })
})

describe('Excel', () => {
  it('reads each visible sheet by its header', async () => {
    const document = await read(
      'a.xlsx',
      xlsxOf([
        {
          name: 'FAQ',
          rows: [
            ['问题', '答案'],
            ['怎么退货？', '联系客服'],
          ],
        },
        {
          name: 'Prices & more',
          rows: [
            ['plan', 'price'],
            ['Basic', 10.1],
            ['Pro', 0.1 + 0.2],
          ],
        },
        { name: 'Lists', rows: [['internal'], ['x']], hidden: true },
      ]),
    )
    expect(document.blocks).toMatchObject([
      { type: 'heading', text: 'FAQ' },
      { type: 'qa', question: '怎么退货？', sheet: 'FAQ' },
      { type: 'heading', text: 'Prices & more' },
      {
        type: 'record',
        fields: [
          ['plan', 'Basic'],
          ['price', '10.1'],
        ],
        sheet: 'Prices & more',
      },
      {
        type: 'record',
        fields: [
          ['plan', 'Pro'],
          ['price', '0.3'],
        ],
      },
    ])
  })

  it('refuses a sheet whose few cells lie at the far ends of the plane', async () => {
    const xml = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>'
    await expect(read('vast.xlsx', xlsxOf([{ name: 'S', rows: [], xml }]))).rejects.toMatchObject({
      code: 'document_too_complex',
      message: expect.stringContaining('1048576 rows by 16384 columns'),
    })
  })
})

describe('PowerPoint', () => {
  it('reads slides in the order of the slide list, titles first, with tables and notes', async () => {
    const document = await read(
      'a.pptx',
      pptxOf([
        { title: 'First', bullets: [{ text: 'one' }, { text: 'two', level: 1 }], notes: 'Say hello' },
        {
          title: 'Second',
          bullets: [{ text: 'three' }],
          table: [
            ['h1', 'h2'],
            ['a', 'b'],
          ],
        },
      ]),
    )
    expect(document.blocks).toEqual([
      { type: 'heading', level: 2, text: 'First', slide: 1 },
      { type: 'list', items: ['- one', '  - two'], slide: 1 },
      { type: 'paragraph', text: 'Say hello', slide: 1 },
      { type: 'heading', level: 2, text: 'Second', slide: 2 },
      { type: 'paragraph', text: 'three', slide: 2 },
      { type: 'table', header: ['h1', 'h2'], rows: [['a', 'b']], slide: 2 },
    ])
  })
})

describe('archives', () => {
  const part = (data: string | Uint8Array) => ({ name: 'word/document.xml', data })

  it.each([
    ['a plain archive', zipOf([{ name: 'a.txt', data: 'x' }]), 'unsupported_file', 'no Word, Excel or PowerPoint'],
    [
      'OpenDocument',
      zipOf([
        { name: 'mimetype', data: 'x' },
        { name: 'content.xml', data: 'x' },
      ]),
      'unsupported_file',
      'OpenDocument',
    ],
    ['an encrypted entry', zipOf([{ ...part('x'), encrypted: true }]), 'unsupported_file', 'password'],
    ['a cut-off archive', docxOf(wordParagraph('x')).subarray(0, 900), 'malformed_document', 'damaged'],
    [
      'a part that is larger than it says',
      zipOf([{ ...part('x'.repeat(5000)), claimedSize: 10 }]),
      'malformed_document',
      'damaged',
    ],
    [
      'names that leave the archive',
      zipOf([part('x'), { name: '../../etc/passwd', data: 'x' }]),
      'malformed_document',
      'damaged',
    ],
    [
      'many entries',
      zipOf([part('x'), ...Array.from({ length: 10_001 }, (_, i) => ({ name: `e${i}`, data: '' }))]),
      'document_too_complex',
      'packed files',
    ],
    ['a bomb by ratio', zipOf([part(new Uint8Array(40 * 1024 * 1024))]), 'document_too_complex', 'zip bomb'],
  ])('refuses %s', async (_, bytes, code, found) => {
    await expect(read('a.docx', bytes)).rejects.toMatchObject({
      kind: 'bad_request',
      code,
      message: expect.stringContaining(found),
    })
  })

  it('refuses what unpacks beyond the limit before anything is unpacked', async () => {
    const claims = Array.from({ length: 5 }, (_, i) => ({
      name: `word/${i}.xml`,
      data: 'x',
      claimedSize: 200 * 1024 * 1024,
    }))
    await expect(openArchive(zipOf([part('x'), ...claims]), 'a.docx')).rejects.toMatchObject({
      code: 'document_too_complex',
    })
  })

  it.each(['utf8', 'utf16le'] as const)('refuses entity declarations in %s', async (encoding) => {
    const laughs = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('')
    const xml = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "lol">${laughs}]><w:document>&l9;</w:document>`
    for (const name of ['word/document.xml', 'xl/workbook.xml', 'ppt/presentation.xml']) {
      await expect(read('a.docx', zipOf([{ name, data: Buffer.from(xml, encoding) }]))).rejects.toMatchObject({
        code: 'document_too_complex',
        message: expect.stringContaining('entities'),
      })
    }
  })
})

describe('mail', () => {
  const mail = (lines: string[]) => read('a.eml', Buffer.from(lines.join('\r\n'), 'latin1'))

  it('takes the subject for the title and names attachments without reading them', async () => {
    const document = await mail([
      'From: Ann <ann@example.com>',
      'To: shop@example.com',
      'Subject: =?utf-8?B?6YCA6LSn6Zeu6aKY?=',
      'Date: Mon, 3 Mar 2025 10:00:00 +0000',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary="b"',
      '',
      '--b',
      'Content-Type: text/plain; charset=gb18030',
      'Content-Transfer-Encoding: base64',
      '',
      // "怎么退货" in GB18030.
      Buffer.from([0xd4, 0xf5, 0xc3, 0xb4, 0xcd, 0xcb, 0xbb, 0xf5]).toString('base64'),
      '--b',
      'Content-Type: application/pdf; name="bill.pdf"',
      'Content-Disposition: attachment; filename="bill.pdf"',
      '',
      'secret words',
      '--b--',
    ])
    expect(document).toMatchObject({
      format: 'eml',
      title: '退货问题',
      metadata: { from: 'Ann', attachments: 'bill.pdf' },
    })
    expect(document.blocks).toEqual([{ type: 'paragraph', text: '怎么退货' }])
  })

  it('reads the HTML where the plain text is a stub', async () => {
    const document = await mail([
      'From: a@example.com',
      'Subject: Hi',
      'MIME-Version: 1.0',
      'Content-Type: multipart/alternative; boundary="b"',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'See HTML.',
      '--b',
      'Content-Type: text/html',
      '',
      '<h2>Offer</h2><p>Everything is half the price from today on until the end of the week.</p><script>x()</script>',
      '--b--',
    ])
    expect(document.blocks.map((block) => block.type)).toEqual(['heading', 'paragraph'])
  })
})
