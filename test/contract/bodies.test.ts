import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** An endpoint with required and optional fields, a range and free text. */
const URL = '/api/v1/agent/sessions/sess-1/knowledge-recommend'
const JSON_TYPE = { 'content-type': 'application/json' }

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())

async function post(payload: string | Buffer, headers: Record<string, string> = JSON_TYPE) {
  const response = await test.app.inject({ method: 'POST', url: URL, headers, payload })
  return { status: response.statusCode, body: response.json() }
}
const send = (body: unknown) => post(JSON.stringify(body))
const refusal = (status: number, detail: RegExp | string) => ({
  status,
  body: { detail: typeof detail === 'string' ? detail : expect.stringMatching(detail) },
})

describe('malformed JSON is 422', () => {
  it.each([
    ['cut off', '{"query": "a'],
    ['a trailing comma', '{"query": "a",}'],
    ['single quotes', "{'query': 'a'}"],
    ['a bare word', 'query'],
    ['two values', '{"query": "a"} {}'],
    ['a comment', '{"query": "a" /* why */}'],
    ['a raw line break in a string', '{"query": "a\nb"}'],
    ['NaN', '{"query": "a", "top_k": NaN}'],
    ['a form', 'query=a&top_k=5'],
    ['deep without an end', '['.repeat(100_000)],
    ['a poisoned prototype', '{"query": "a", "__proto__": {"top_k": 1}}'],
    ['a poisoned prototype in disguise', '{"query": "a", "\\u005f_proto__": {"top_k": 1}}'],
    ['a poisoned constructor', '{"query": "a", "constructor": {"prototype": {"top_k": 1}}}'],
  ])('%s', async (_, payload) => {
    expect(await post(payload)).toEqual(refusal(422, 'The request body is not valid JSON'))
  })

  it.each([
    ['GB18030', Buffer.from([0x7b, 0x22, 0x71, 0x22, 0x3a, 0x22, 0xc4, 0xe3, 0xba, 0xc3, 0x22, 0x7d])],
    ['UTF-16', Buffer.from('\ufeff{"query": "你好"}', 'utf16le')],
    ['a cut character', Buffer.from('{"query": "你').subarray(0, -1)],
  ])('text in %s says that it must be UTF-8', async (_, payload) => {
    expect(await post(payload)).toEqual(refusal(422, 'The request body is not valid UTF-8'))
  })
})

describe('unusual JSON', () => {
  it.each([
    ['a byte order mark', '\ufeff{"query": "a"}'],
    ['white space around it', ' \r\n\t{"query": "a"}\n'],
    ['a repeated field, of which the last one counts', '{"query": 1, "query": "a"}'],
    ['an escaped field name', '{"\\u0071uery": "a"}'],
    ['half an emoji', '{"query": "order \\ud83d"}'],
    ['a field that is called constructor', '{"query": "a", "constructor": "x"}'],
  ])('is accepted with %s', async (_, payload) => {
    expect(await post(payload)).toMatchObject({ status: 200 })
  })

  it('is read up to 64 levels deep and no deeper', async () => {
    const nested = (levels: number) => `{"query": "a", "unknown": ${'['.repeat(levels)}${']'.repeat(levels)}}`
    expect(await post(nested(63))).toMatchObject({ status: 200 })
    expect(await post(nested(64))).toEqual(refusal(422, 'The request body is nested deeper than 64 levels'))
    expect(await post(nested(200_000))).toMatchObject({ status: 422 })
  })

  it('may not hold U+0000, in values nor in names', async () => {
    expect(await send({ query: 'a\u0000b' })).toEqual(refusal(422, 'query: must not contain the character U+0000'))
    expect(await send({ query: 'a', unknown: [{ x: '\u0000' }] })).toEqual(refusal(422, /^unknown\.0\.x: /))
    expect(await send({ query: 'a', '\u0000': 1 })).toMatchObject({ status: 422 })
  })
})

describe('an empty body', () => {
  it.each([
    ['no body and no type', undefined, {}],
    ['no body with a type', undefined, JSON_TYPE],
    ['no bytes', '', JSON_TYPE],
    ['blanks', '  \n', JSON_TYPE],
  ])('is 422 where one is required: %s', async (_, payload, headers) => {
    const response = await test.app.inject({
      method: 'POST',
      url: URL,
      headers,
      ...(payload === undefined ? {} : { payload }),
    })
    expect(response.statusCode).toBe(422)
    expect(response.json()).toEqual({ detail: 'body: must be object' })
  })

  it.each(['null', '5', '"text"', 'true', '[]', '[{"query": "a"}]'])('is no object: %s', async (payload) => {
    expect(await post(payload)).toEqual(refusal(422, 'body: must be object'))
  })
})

describe('types', () => {
  it.each([
    ['a number for text', { query: 1 }, /^query: must be string$/],
    ['true for text', { query: true }, /^query: must be string$/],
    ['a list for text', { query: ['a'] }, /^query: must be string$/],
    ['text for a number', { query: 'a', top_k: '5' }, /^top_k: must be integer$/],
    ['a fraction for a whole number', { query: 'a', top_k: 1.5 }, /^top_k: must be integer$/],
    ['true for a number', { query: 'a', top_k: true }, /^top_k: must be integer$/],
    ['a number below its range', { query: 'a', top_k: 0 }, /^top_k: must be >= 1$/],
    ['a number above its range', { query: 'a', top_k: 1e300 }, /^top_k: must be /],
    ['a missing field', { top_k: 5 }, /^query: is required$/],
    ['null for a required field', { query: null }, /^query: must be string$/],
  ])('are not converted: %s', async (_, body, detail) => {
    expect(await send(body)).toEqual(refusal(422, detail))
  })

  it('takes null for an optional field as absent and ignores unknown fields', async () => {
    expect(await send({ query: 'a', top_k: null, unknown: { any: 'thing' } })).toMatchObject({ status: 200 })
  })

  it('names every wrong field at once', async () => {
    const { body } = await send({ query: 1, top_k: 'x' })
    expect(body.detail).toContain('query: must be string')
    expect(body.detail).toContain('top_k: must be integer')
  })
})

describe('media types', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/json;charset="UTF-8"',
  ])('accepts %s', async (type) => {
    expect(await post('{"query": "a"}', { 'content-type': type })).toMatchObject({ status: 200 })
  })

  it.each([
    'text/plain',
    'text/json',
    'application/xml',
    'application/x-www-form-urlencoded',
    'application/octet-stream',
    'application/vnd.api+json',
    'application',
    'garbage;;',
    'multipart/form-data; boundary=x',
  ])('refuses %s with 415', async (type) => {
    expect(await post('{"query": "a"}', { 'content-type': type })).toEqual(refusal(415, /Content-Type/))
  })

  it('refuses a body without a type, and a compressed one', async () => {
    expect(await post(Buffer.from('{"query": "a"}'), {})).toMatchObject({ status: 415 })
    expect(await post('x', { ...JSON_TYPE, 'content-encoding': 'gzip' })).toEqual(refusal(415, /Content-Encoding/))
    expect(await post('{"query": "a"}', { ...JSON_TYPE, 'content-encoding': 'identity' })).toMatchObject({
      status: 200,
    })
  })

  it('refuses a form where JSON is expected, beside the endpoint that takes forms', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const payload = '--x--\r\n'
    const response = await test.app.inject({ method: 'DELETE', url: '/api/v1/knowledge/documents/x', headers, payload })
    expect(response.statusCode).toBe(415)
  })
})

describe('sizes', () => {
  const MEBIBYTE = 1024 * 1024

  it('takes a body of exactly 1 MiB and refuses a byte more with 413', async () => {
    const fill = (bytes: number) => JSON.stringify({ query: 'a', unknown: 'x'.repeat(bytes - 26) })
    expect(fill(MEBIBYTE)).toHaveLength(MEBIBYTE)
    expect(await post(fill(MEBIBYTE))).toMatchObject({ status: 200 })
    expect(await post(fill(MEBIBYTE + 1))).toEqual(refusal(413, 'The request body is too large'))
  })
})

describe('query parameters', () => {
  const list = async (query: string) => {
    const response = await test.app.inject({ url: `/api/v1/knowledge/documents?${query}` })
    return { status: response.statusCode, body: response.json() }
  }

  it('have their defaults, and become numbers', async () => {
    expect(await list('')).toMatchObject({ status: 200, body: { limit: 20, offset: 0 } })
    expect(await list('limit=200&offset=7')).toMatchObject({ status: 200, body: { limit: 200, offset: 7 } })
    expect(await list('limit=007&unknown=1')).toMatchObject({ status: 200, body: { limit: 7 } })
  })

  it.each([
    'limit=0',
    'limit=201',
    'limit=-1',
    'limit=1.5',
    'limit=1e1',
    'limit=0x10',
    'limit=',
    'limit=%205',
    'limit=true',
    'limit=null',
    'limit=NaN',
    'limit=99999999999999999999',
    'limit=1&limit=2',
    'offset=-1',
    'offset=9999999999',
  ])('are 422 out of range or of another type: %s', async (query) => {
    const { status, body } = await list(query)
    expect(status).toBe(422)
    expect(body).toEqual({ detail: expect.stringMatching(/^(?:limit|offset): must be /) })
  })

  it('are 400 outside their set, and the answer names the set', async () => {
    expect(await list('status=gone')).toEqual(refusal(400, 'status: must be one of active, archived, deleted'))
    expect(await list('status=')).toMatchObject({ status: 400 })
    expect(await list('status=gone&limit=0')).toMatchObject({ status: 422 })
  })
})
