import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const URL = '/api/v1/knowledge/ingest'
const BOUNDARY = 'x-boundary'
const FORM = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
const GUIDE = '# Returns\n\nYou may return goods within 14 days.'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp({ MAX_UPLOAD_MB: '1' })
})
afterAll(() => test.close())

interface Part {
  disposition: string | Buffer
  content: string | Buffer
  type?: string
}
const file = (name: string | Buffer, content: string | Buffer = GUIDE, field = 'file'): Part => ({
  disposition: Buffer.concat([
    Buffer.from(`form-data; name="${field}"; filename="`),
    Buffer.isBuffer(name) ? name : Buffer.from(name),
    Buffer.from('"'),
  ]),
  content,
})
const field = (name: string, content: string): Part => ({ disposition: `form-data; name="${name}"`, content })

function encode(parts: Part[], { end = `--${BOUNDARY}--\r\n` } = {}): Buffer {
  const pieces = parts.flatMap(({ disposition, content, type }) => [
    Buffer.from(`--${BOUNDARY}\r\ncontent-disposition: `),
    Buffer.from(disposition),
    Buffer.from(`${type ? `\r\ncontent-type: ${type}` : ''}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...pieces, Buffer.from(end)])
}

async function post(payload: Buffer | string, headers: Record<string, string> = FORM) {
  const response = await test.app.inject({ method: 'POST', url: URL, headers, payload })
  return { status: response.statusCode, body: response.json() }
}
const send = (...parts: Part[]) => post(encode(parts))
const refusal = (status: number, detail: RegExp | string) => ({
  status,
  body: { detail: typeof detail === 'string' ? detail : expect.stringMatching(detail) },
})

describe('a form', () => {
  it('is read in whatever order its parts come', async () => {
    const fields = [field('register', 'true'), field('knowledge_type', 'policy')]
    const before = await send(...fields, file('before.md'))
    const after = await send(file('after.md'), ...fields)
    for (const { status, body } of [before, after]) {
      expect(status).toBe(200)
      const { body: listed } = await test.call('GET', `/api/v1/knowledge/documents?q=${body.source}`)
      expect(listed.items).toEqual([expect.objectContaining({ source: body.source, knowledge_type: 'policy' })])
    }
  })

  it('is taken with what parsers stumble over', async () => {
    const preamble = Buffer.concat([Buffer.from('This is a form.\r\n'), encode([file('preamble.md')])])
    expect(await post(preamble)).toMatchObject({ status: 200 })
    const epilogue = encode([file('epilogue.md')], { end: `--${BOUNDARY}--\r\nThat was a form.` })
    expect(await post(epilogue)).toMatchObject({ status: 200 })
    const quoted = { 'content-type': `multipart/form-data; boundary="${BOUNDARY}"; charset=utf-8` }
    expect(await post(encode([file('quoted.md')]), quoted)).toMatchObject({ status: 200 })
    expect(await send({ ...file('typed.md'), type: 'application/json' })).toMatchObject({ status: 200 })
  })
})

describe('a broken form is 422', () => {
  it.each([
    ['no boundary', { 'content-type': 'multipart/form-data' }],
    ['an empty boundary', { 'content-type': 'multipart/form-data; boundary=' }],
    ['another boundary', { 'content-type': 'multipart/form-data; boundary=other' }],
  ])('%s', async (_, headers) => {
    expect(await post(encode([file('a.md')]), headers)).toEqual(refusal(422, /form|file/))
  })

  it('cut off anywhere', async () => {
    const whole = encode([field('register', 'true'), file('cut.md')])
    for (let length = 0; length < whole.length - 4; length += 7) {
      const { status, body } = await post(whole.subarray(0, length))
      expect(status, `after ${length} bytes: ${JSON.stringify(body)}`).toBe(422)
      expect(body).toEqual({ detail: expect.any(String) })
    }
    expect((await test.call('GET', '/api/v1/knowledge/documents?q=cut.md')).body.total).toBe(0)
  })

  it.each<[string, Part[], RegExp]>([
    ['no parts', [], /^file: is required$/],
    ['no file', [field('register', 'true')], /^file: is required$/],
    ['text in place of the file', [field('file', GUIDE)], /^file: is required$/],
    ['the file in another field', [file('a.md', GUIDE, 'upload')], /^upload: the file must be in the field "file"$/],
    [
      'a file without a field',
      [{ disposition: 'form-data; filename="a.md"', content: GUIDE }],
      /^form: a part has no name$/,
    ],
    ['a part without a name', [{ disposition: 'form-data', content: 'x' }], /^form: a part has no name$/],
    ['two files', [file('a.md'), file('b.md')], /^file: one file at a time$/],
    ['an empty file name', [file('')], /^file: /],
    ['a file name of dots', [file('..')], /^file: /],
    ['a file name that is too long', [file(`${'x'.repeat(300)}.md`)], /^file: the file name is longer than/],
    ['a forbidden field name', [field('__proto__', 'x'), file('a.md')], /forbidden field name/],
    [
      'a field that lies about being JSON',
      [{ ...field('register', '{'), type: 'application/json' }, file('a.md')],
      /JSON/,
    ],
    ['U+0000 in a field', [field('product_category', 'a\u0000b'), file('a.md')], /^product_category: .*U\+0000/],
    ['a flag that is none', [field('register', 'perhaps'), file('a.md')], /^register: must be true or false$/],
    ['a type outside the set', [field('knowledge_type', 'poem'), file('a.md')], /^knowledge_type: must be one of/],
    ['a time that is none', [field('published_at', '2026-02-30'), file('a.md')], /^published_at: /],
    ['a field that is too long', [field('product_category', 'x'.repeat(201)), file('a.md')], /^product_category: /],
  ])('%s', async (_, parts, detail) => {
    expect(await send(...parts)).toEqual(refusal(422, detail))
  })
})

describe('a form that is too large is 413', () => {
  const LIMIT = 1024 * 1024

  it('by its file', async () => {
    const text = (bytes: number) => `# Guide\n\n${'word '.repeat(bytes / 5)}`.slice(0, bytes)
    expect(await send(file('largest.md', text(LIMIT)))).toMatchObject({ status: 200 })
    expect(await send(file('larger.md', text(LIMIT + 1)))).toEqual(refusal(413, 'file: the file is too large'))
    expect(await send(file('much-larger.md', text(LIMIT * 20)))).toEqual(refusal(413, /^file: /))
  })

  it('by a field, or by their number', async () => {
    expect(await send(field('product_category', 'x'.repeat(64 * 1024 + 1)), file('a.md'))).toMatchObject({
      status: 413,
    })
    const many = Array.from({ length: 51 }, (_, index) => field(`field-${index}`, 'x'))
    expect(await send(...many, file('a.md'))).toMatchObject({ status: 413 })
  })
})

describe('another media type is 415', () => {
  it.each(['application/json', 'application/x-www-form-urlencoded', 'multipart/mixed; boundary=x', 'text/plain'])(
    '%s',
    async (type) => {
      expect(await post('{}', { 'content-type': type })).toMatchObject({ status: 415 })
    },
  )

  it('none at all', async () => {
    expect(await post('', {})).toEqual(refusal(415, 'The request must be multipart/form-data'))
  })
})

describe('file names', () => {
  it.each<[name: string, sent: string | Buffer, source: string]>([
    ['Chinese in UTF-8', '退货政策.md', '退货政策.md'],
    [
      'Chinese in GB18030',
      Buffer.from([0xcd, 0xcb, 0xbb, 0xf5, 0xd5, 0xfe, 0xb2, 0xdf, 0x2e, 0x6d, 0x64]),
      '退货政策.md',
    ],
    [
      'the same length in GB18030',
      Buffer.from([0xbb, 0xbb, 0xbb, 0xf5, 0xd5, 0xfe, 0xb2, 0xdf, 0x2e, 0x6d, 0x64]),
      '换货政策.md',
    ],
    ['accents and emoji', 'Rücksendung 📦.md', 'Rücksendung 📦.md'],
    ['accents decomposed, as macOS sends them', 'Ru\u0308cksendung.md', 'Rücksendung.md'],
    ['a Unix path', '../../etc/returns.md', 'returns.md'],
    ['a Windows path', 'C:\\help\\returns.md', 'returns.md'],
    ['blanks and quotes', 'a "b" c.md'.replaceAll('"', '%22'), 'a %22b%22 c.md'],
    ['control characters', 'a\u0001\u007fb.md', 'ab.md'],
  ])('%s', async (_, sent, source) => {
    const { status, body } = await send(file(sent))
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.source).toBe(source)
  })

  it('encoded as RFC 5987 says', async () => {
    const disposition = 'form-data; name="file"; filename*=UTF-8\'\'br%C3%BBl%C3%A9e.md'
    expect(await send({ disposition, content: GUIDE })).toMatchObject({ body: { source: 'brûlée.md' } })
  })
})
