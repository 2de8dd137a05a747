import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf } from '../../../../test/support/event-stream.ts'
import { createTestApp, type TestApp } from '../../../../test/support/test-app.ts'
import { AppError } from '../../../kernel/errors.ts'
import { ingestBatch } from './batch.ts'
import type { IngestRequest } from './ingest.ts'

const PATH = '/api/v1/knowledge/ingest/batch'

describe('an upload of several files', () => {
  let test: TestApp
  let origin: string
  beforeAll(async () => {
    test = await createTestApp({ MAX_UPLOAD_MB: '1' })
    origin = await originOf(test.app)
  })
  afterAll(() => test.close())

  interface Asked {
    fields?: Record<string, string>
    headers?: Record<string, string>
    path?: string
  }

  async function send(files: Record<string, string>, { fields = {}, headers = {}, path = PATH }: Asked = {}) {
    const form = new FormData()
    for (const [name, text] of Object.entries(files)) form.append('file', new File([text], name))
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    return fetch(origin + path, { method: 'POST', body: form, headers })
  }

  const page = (subject: string): string => `# ${subject}\n\nEverything about ${subject} stands here, in one place.`

  it('takes in each, in the order of the files, with what the fields say of all', async () => {
    const response = await send(
      { 'lamps.md': page('lamps'), 'empty.md': ' ', 'desks.md': page('desks') },
      { fields: { register: 'true', product_category: 'furniture' } },
    )
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      ...{ total: 3, succeeded: 2, unchanged: 0, rejected: 0, failed: 1 },
      results: [
        { source: 'lamps.md', status: 'success', version: 'v1', chunk_count: 1, errors: [] },
        { source: 'empty.md', status: 'failed', version: null, errors: [expect.stringContaining('empty.md')] },
        { source: 'desks.md', status: 'success' },
      ],
    })
    const { body } = await test.call('GET', '/api/v1/knowledge/documents?product_category=furniture')
    expect(body.items.map(({ source }: { source: string }) => source).sort()).toEqual(['desks.md', 'lamps.md'])
  })

  it('changes nothing when it is sent again', async () => {
    const files = { 'again-1.md': page('ferries'), 'again-2.md': page('trains') }
    await send(files)
    expect(await (await send(files)).json()).toMatchObject({ succeeded: 2, unchanged: 2 })
  })

  it('answers a repeat of its key with what it answered first, and refuses other files under it', async () => {
    const headers = { 'idempotency-key': 'batch-1' }
    const first = await (await send({ 'key.md': page('keys') }, { headers })).json()
    expect(await (await send({ 'key.md': page('keys') }, { headers })).json()).toEqual(first)
    expect((await send({ 'key.md': page('locks') }, { headers })).status).toBe(422)
  })

  it.each([
    ['two files of one name', { 'a/same.md': 'x', 'b/same.md': 'y' }, {}, 'file: two files are named "same.md"'],
    ['no file', {}, { register: 'true' }, 'file: is required'],
    ['an address, which is that of one document', { 'x.md': 'x' }, { url: 'https://a.example/' }, 'url: '],
    ['a field that means nothing', { 'x.md': page('x') }, { knowledge_type: 'novel' }, 'knowledge_type: '],
  ])('refuses %s, and stores nothing', async (_, files, fields, message) => {
    const before = (await test.call('GET', '/api/v1/knowledge/stats')).body.knowledge_version
    const response = await send(files, { fields })
    expect(response.status).toBe(422)
    expect(JSON.stringify(await response.json())).toContain(JSON.stringify(message).slice(1, -1))
    expect((await test.call('GET', '/api/v1/knowledge/stats')).body.knowledge_version).toBe(before)
  })

  it('refuses more than is allowed together, and more files than there may be', async () => {
    const large = 'word '.repeat(120_000)
    expect((await send({ 'l1.txt': large, 'l2.txt': large })).status).toBe(413)
    const many = Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`${i}.md`, 'x']))
    expect((await send(many)).status).toBe(413)
    expect((await fetch(origin + PATH, { method: 'POST', body: 'x' })).status).toBe(415)
  })

  it('tells of each file as it is done, and of all at the end', async () => {
    const files = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`step-${i}.md`, page(`step ${i}`)]))
    const response = await send(files, { path: `${PATH}/stream` })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const events = (await response.text())
      .split('\n\n')
      .filter((each) => each.startsWith('event: '))
      .map((each) => ({ event: each.split('\n')[0]!.slice(7), data: JSON.parse(each.split('\ndata: ')[1]!) }))
    expect(events.map(({ event }) => event)).toEqual([...Array.from({ length: 12 }, () => 'progress'), 'done'])
    expect(events.slice(0, 12).map(({ data }) => data.done)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1))
    expect(events[3]?.data).toMatchObject({ total: 12, result: { status: 'success' } })
    expect(events.at(-1)?.data).toMatchObject({ total: 12, succeeded: 12 })
    expect(events.at(-1)?.data.results.map(({ source }: { source: string }) => source)).toEqual(Object.keys(files))
  })
})

describe('a batch', () => {
  const requests = Array.from({ length: 20 }, (_, i) => ({ source: `${i}.md` }) as IngestRequest)
  const log = { warn: () => {} }
  const done = ({ source }: IngestRequest) => {
    const nothing = { chunkCount: 1, version: null, unchanged: false, errors: [] }
    return { docId: source, source, status: 'success' as const, ...nothing }
  }

  it('ends when no further file would fare better', async () => {
    let asked = 0
    const ingest = async (request: IngestRequest) => {
      if (++asked > 3) throw new AppError('unavailable', 'database', 'The database is gone')
      return done(request)
    }
    await expect(ingestBatch({ ingest, log }, requests, new AbortController().signal)).rejects.toThrow('is gone')
    expect(asked).toBeLessThan(10)
  })

  it('ends when nobody waits for it any more', async () => {
    const leaving = new AbortController()
    let asked = 0
    const ingest = async (request: IngestRequest) => {
      if (++asked === 5) leaving.abort(new Error('left'))
      return done(request)
    }
    await expect(ingestBatch({ ingest, log }, requests, leaving.signal)).rejects.toThrow('left')
    expect(asked).toBeLessThan(10)
  })

  it('goes on after a file that fails for a reason that nobody foresaw', async () => {
    const ingest = async (request: IngestRequest) => {
      if (request.source === '7.md') throw new Error('a bug')
      return done(request)
    }
    const results = await ingestBatch({ ingest, log }, requests, new AbortController().signal)
    expect(results.map(({ status }) => status)).toEqual(requests.map((_, i) => (i === 7 ? 'failed' : 'success')))
    expect(results[7]?.errors).toEqual(['could not be taken in'])
  })
})
