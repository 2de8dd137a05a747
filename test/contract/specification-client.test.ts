import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf } from '../support/event-stream.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { SPECIFIED } from './support/specification.ts'
import { type Client, createClient, send } from './support/specified/client.ts'
import { chats, gateway, people, solutions, streams } from './support/specified/conversations.ts'
import { evaluation, ingests, mining, tuning, updates } from './support/specified/documents.ts'
import { differences, type Exchange, outlineOf } from './support/specified/transcript.ts'
import { operates, watches } from './support/specified/watching.ts'

/**
 * A client written from the specification alone walks all of it, and is answered as by release 0.1.0: the same statuses, the
 * same fields of the same types, with others beside them perhaps. `PRINT_TRANSCRIPT=file` writes down what was answered.
 */

const SHORT_KEY = 'k'
const BEFORE = new URL('support/specified/transcript-0.1.0.jsonl', import.meta.url)
/** Differences that were meant, in what the specification leaves open, each with its reason. */
const MEANT = [
  // Passages near in meaning are recommended beside those that hold the words; not all of them are pairs.
  /^recommend(?: to no session)?: body\.chunks\[\]\.question is null\|string instead of string$/,
  // Without a glossary there is nothing that could be hit: 1 said that all was well.
  /^quality of .*: body\.terminology_hit_rate is null instead of number$/,
  // Steps lie within steps, of which a trace without a model showed only the outer ones.
  /^one trace: body\.steps\[\]\.parent_id is null\|string instead of null$/,
]

const isOpen = (path: string): boolean =>
  SPECIFIED.some(
    ([, specified, auth]) => auth === 'open' && specified === `/api/v1${path.replace(/\{(\w+)\}/g, ':$1')}`,
  )

const MODES: [mode: string, environment: Record<string, string>, keyFor: (path: string) => string | undefined][] = [
  ['no key is set', {}, () => undefined],
  [
    'a key is set, and sent where it is checked',
    { API_KEY: SHORT_KEY },
    (path) => (isOpen(path) ? undefined : SHORT_KEY),
  ],
]

describe.each(MODES)('where %s', (_mode, environment, keyFor) => {
  let test: TestApp
  let folder: string
  let origin: string
  let client: Client
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'specified-')))
    test = await createTestApp(environment)
    origin = await originOf(test.app)
    client = createClient(origin, keyFor)
  })
  afterAll(async () => {
    await test.close()
    await rm(folder, { recursive: true })
  })

  it('every endpoint answers the client with the statuses and the fields of the specification', {
    timeout: 300_000,
  }, async () => {
    await ingests(client)
    await chats(client)
    await streams(client, origin, keyFor('/chat/stream'))
    await gateway(client)
    await people(client)
    await solutions(client)
    await updates(client, folder)
    await mining(client)
    await tuning(client)
    await evaluation(client)
    await watches(client)
    await operates(client)
    expect(client.complaints).toEqual([])
    const asked = new Set(client.transcript.map(({ request }) => request.replace(/\?.*/, '')))
    const unasked = SPECIFIED.map(([method, path]) => `${method} ${path.slice('/api/v1'.length)}`)
      .map((each) => each.replace(/:(\w+)/g, '{$1}'))
      .filter((each) => !asked.has(each))
    expect(unasked).toEqual([])
  })

  it('and the answers have what those of release 0.1.0 had', async () => {
    const print = process.env.PRINT_TRANSCRIPT
    if (print) await writeFile(print, client.transcript.map((each) => `${JSON.stringify(each)}\n`).join(''))
    const before = (await readFile(BEFORE, 'utf8')).trim().split('\n')
    const exchanges = before.map((line): Exchange => JSON.parse(line))
    const found = differences(exchanges, client.transcript)
    expect(found.filter((each) => !MEANT.some((meant) => meant.test(each)))).toEqual([])
  })
})

describe('where a key is set and not sent', () => {
  let test: TestApp
  let origin: string
  beforeAll(async () => {
    test = await createTestApp({ API_KEY: SHORT_KEY })
    origin = await originOf(test.app)
  })
  afterAll(() => test.close())

  it.each([undefined, '', 'K', 'kk', 'k k'])(
    'the key %j is refused everywhere in the same words, and nowhere else',
    async (key) => {
      const wrong: string[] = []
      for (const [method, path, auth] of SPECIFIED) {
        const { status, text } = await send(origin, method, path.replace(/:\w+/g, 'x'), {
          key,
          ...(method === 'GET' ? {} : { body: {} }),
        })
        const isRefused = status === 401
        const isExact = text === '{"detail":"Invalid or missing API key"}'
        if (isRefused !== (auth === 'key') || (isRefused && !isExact))
          wrong.push(`${method} ${path}: ${status} ${text}`)
      }
      expect(wrong).toEqual([])
    },
  )

  it('the pages that describe the API are there', async () => {
    for (const path of ['/docs', '/redoc']) {
      const { status, headers } = await send(origin, 'GET', path)
      expect([path, status, headers['content-type']]).toEqual([path, 200, expect.stringContaining('text/html')])
    }
  })
})

describe('what a client would miss', () => {
  const exchange = (body: unknown, status = 200): Exchange[] => [
    { step: 's', request: 'GET /', status, body: outlineOf(body) },
  ]
  const before = exchange({ id: 'a', items: [{ n: 1 }, { n: 2, note: null }], more: { x: true } })

  it.each([
    ['another status', exchange({}, 201), 's: 201 instead of 200'],
    ['a field that is gone', exchange({ id: 'a', items: [] }), 's: body.more is gone'],
    [
      'a field of another type',
      exchange({ id: 1, items: [], more: { x: true } }),
      's: body.id is number instead of string',
    ],
    [
      'a field that is null',
      exchange({ id: null, items: [], more: { x: true } }),
      's: body.id is null instead of string',
    ],
    [
      'a field that some elements lack',
      exchange({ id: 'a', items: [{ n: 1 }, {}], more: { x: true } }),
      's: body.items[].n is absent at times',
    ],
    [
      'a list that is none',
      exchange({ id: 'a', items: {}, more: { x: true } }),
      's: body.items is an object instead of a list',
    ],
    ['what was not asked', [], 's: was not asked'],
  ])('is %s', (_, now, difference) => expect(differences(before, now)).toEqual([difference]))

  it('is nothing that was added', () => {
    const now = exchange({ id: 'b', items: [{ n: 3, m: [] }], more: { x: false, y: 1 }, extra: {} })
    expect(differences(before, now)).toEqual([])
  })
})
