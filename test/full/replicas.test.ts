import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Child, newServerDatabase, type Storage, startChild } from '../contract/support/child.ts'
import { FACTS, FACTS_DOCUMENT } from '../contract/support/facts.ts'
import { type Balancer, startBalancer } from '../support/balancer.ts'
import { type DatabaseGate, openDatabaseGate } from '../support/database-gate.ts'
import { type EventStream, openEventStream } from '../support/event-stream.ts'
import { type Answer, call, upload } from './support/client.ts'
import { findLosses, startLoad } from './support/load.ts'

/**
 * Several programs on one server, behind a balancer that hands requests out in turns. TEST_DATABASE_RESTART may hold a
 * command that restarts the server; without one the way to it is cut instead.
 */
const SERVER = process.env.TEST_DATABASE_URL
const RESTART = process.env.TEST_DATABASE_RESTART
const OUTAGE_MS = 3_000
const CLIENTS = 8

describe.runIf(SERVER).each([2, 4])('%i replicas behind a balancer', (count) => {
  let storage: Storage
  let gate: DatabaseGate
  let throughGate: Storage
  let replicas: Child[] = []
  let balancer: Balancer

  beforeAll(async () => {
    storage = await newServerDatabase(SERVER as string)
    gate = await openDatabaseGate(storage.environment.DATABASE_URL as string)
    throughGate = { ...storage, environment: { DATABASE_URL: gate.url } }
    replicas = await Promise.all(Array.from({ length: count }, () => startChild(throughGate)))
    balancer = await startBalancer(replicas.map(({ origin }) => origin))
  })
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.stop('SIGKILL')))
    await balancer.close()
    await gate.close()
    await storage.remove()
  })

  const ask = (method: string, path: string, body?: unknown): Promise<Answer> =>
    call(balancer.origin, method, path, body)
  const say = (session: string, message: string) => ask('POST', '/chat', { message, session_id: session })
  const onEach = <T>(question: (origin: string) => Promise<T>): Promise<T[]> =>
    Promise.all(replicas.map(({ origin }) => question(origin)))

  it('started at once on an empty database: one of them migrated', async () => {
    const migrated = replicas.filter((replica) => replica.output().includes('Applied migration'))
    expect(migrated).toHaveLength(1)
    const client = new pg.Client(storage.environment.DATABASE_URL)
    await client.connect()
    const { rows } = await client.query('select count(*)::int as count, max(version) as last from schema_migrations')
    await client.end()
    expect(rows[0].count).toBe(rows[0].last)
  })

  it('continue a session, whichever of them is asked', async () => {
    await upload(balancer.origin, FACTS_DOCUMENT.name, FACTS_DOCUMENT.content)
    for (const [index, { question, answer }] of FACTS.slice(0, 3 * count).entries()) {
      const { body } = await say('continued', question)
      expect(body.reply).toContain(answer)
      expect(body.data.turn_count).toBe(index + 1)
    }
    const { body } = await say('continued', 'And the wardrobe?')
    expect(body.reply).toContain(FACTS.find(({ question }) => question.includes('wardrobe'))?.answer)
    const views = await onEach((origin) => call(origin, 'GET', '/chat/sessions/continued/messages?limit=200'))
    for (const view of views) expect(view.body).toEqual(views[0]?.body)
    expect(views[0]?.body.messages).toHaveLength(2 * (3 * count + 1))
  })

  it('give a session to one of the people who accept it at once', async () => {
    for (let round = 0; round < 10; round++) {
      const id = `race-${round}`
      await say(id, 'I want to talk to a person')
      const agents = Array.from({ length: 20 }, (_, i) => `agent-${i}`)
      const answers = await Promise.all(
        agents.map((agent) => ask('POST', `/agent/sessions/${id}/accept`, { agent_id: agent })),
      )
      const winners = answers.filter(({ status }) => status === 200)
      expect(winners).toHaveLength(1)
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(19)
      const seen = await onEach((origin) => call(origin, 'GET', `/agent/sessions/${id}`))
      expect(new Set(seen.map(({ body }) => body.agent_id))).toEqual(new Set([winners[0]?.body.agent_id]))
    }
  })

  it('follow each other: parameters, the cache, and what the knowledge base says', async () => {
    const slowest = { tuner: 0, knowledge: 0, invalidation: 0 }
    const replyOf = async (origin: string, question: string): Promise<string> =>
      (await call(origin, 'POST', '/chat', { message: question })).body.reply
    for (let round = 1; round <= 5; round++) {
      const { body } = await ask('PUT', '/tuner/params', { rrf_k: 50 + round })
      slowest.tuner = Math.max(
        slowest.tuner,
        await untilAll((origin) =>
          call(origin, 'GET', '/tuner/params').then((got) => got.body.version === body.version),
        ),
      )
      const question = 'How tall is the obelisk?'
      await onEach((origin) => replyOf(origin, question))
      await upload(balancer.origin, 'obelisk.md', `Q: ${question}\nA: The obelisk is ${round} metres tall.`)
      slowest.knowledge = Math.max(
        slowest.knowledge,
        await untilAll((origin) => replyOf(origin, question).then((reply) => reply.includes(`${round} metres`))),
      )
      await ask('POST', '/performance/cache/invalidate')
      const entries = (origin: string) =>
        call(origin, 'GET', '/performance/cache/stats').then(({ body: got }) => got.entries)
      slowest.invalidation = Math.max(
        slowest.invalidation,
        await untilAll((origin) => entries(origin).then((left) => left === 0)),
      )
    }
    console.info(`Milliseconds until the last of ${count} followed: ${JSON.stringify(slowest)}`)
    expect(Math.max(...Object.values(slowest))).toBeLessThan(10_000)
  })

  async function untilAll(holds: (origin: string) => Promise<boolean>): Promise<number> {
    const since = performance.now()
    await Promise.all(
      replicas.map(({ origin }) => expect.poll(() => holds(origin), { timeout: 20_000, interval: 10 }).toBe(true)),
    )
    return Math.round(performance.now() - since)
  }

  /** Streams of a customer and of the workspace, at each replica and through the balancer. */
  async function openStreams(id: string): Promise<EventStream[]> {
    const origins = [...replicas.map(({ origin }) => origin), balancer.origin]
    const paths = ['/api/v1/agent/events', `/api/v1/chat/sessions/${id}/events`]
    return Promise.all(origins.flatMap((origin) => paths.map((path) => openEventStream(origin, path))))
  }
  const textsOf = ({ inbox }: EventStream): string[] =>
    inbox.all.filter(({ event }) => event === 'message').map(({ data }) => (data.message ?? data).content)
  async function assigned(id: string): Promise<void> {
    await say(id, 'I want to talk to a person')
    await ask('POST', `/agent/sessions/${id}/accept`, { agent_id: 'ann' })
  }

  it('tell customers and people everywhere what was said anywhere, in order', async () => {
    await assigned('heard')
    const streams = await openStreams('heard')
    const texts = Array.from({ length: 20 }, (_, i) => `from ann ${i}`)
    const since = performance.now()
    for (const content of texts) await ask('POST', '/agent/sessions/heard/messages', { content })
    await Promise.all(
      streams.map((stream) => stream.waitFor(({ data }) => (data.message ?? data).content === texts.at(-1))),
    )
    console.info(`20 messages heard on ${streams.length} streams within ${Math.round(performance.now() - since)} ms`)
    for (const stream of streams) expect(textsOf(stream).filter((text) => texts.includes(text))).toEqual(texts)
    await Promise.all(streams.map((stream) => stream.close()))
  })

  it('lose nothing that was acknowledged when one of them is killed under load', async () => {
    const load = startLoad(balancer.origin, 'kill', CLIENTS)
    await expect.poll(load.answered, { timeout: 120_000 }).toBeGreaterThan(10 * CLIENTS)
    await replicas[0]?.stop('SIGKILL')
    const before = load.answered()
    await expect.poll(load.answered, { timeout: 120_000 }).toBeGreaterThan(before + 10 * CLIENTS)
    const [, ...others] = replicas
    replicas = [await startChild(throughGate), ...others]
    balancer.setReplicas(replicas.map(({ origin }) => origin))
    await load.stop()
    console.info(`A replica was killed: ${JSON.stringify(load.statuses)}, ${load.documents.size} documents`)
    expect(load.faults).toEqual([])
    for (const { origin } of replicas) expect(await findLosses(origin, load)).toEqual([])
  })

  async function interruptDatabase(): Promise<void> {
    if (RESTART) {
      await promisify(execFile)('bash', ['-c', RESTART])
    } else {
      await gate.cut()
      await sleep(OUTAGE_MS)
      await gate.restore()
    }
  }

  /** What the programs say of answers that they did not expect to give. */
  const complaints = (): string =>
    replicas
      .flatMap((replica) =>
        replica
          .output()
          .split('\n')
          .filter((line) => line.includes('"status":500')),
      )
      .join('\n')

  it('answer 503 while the database restarts, and recover by themselves', async () => {
    await assigned('through-it')
    const streams = await openStreams('through-it')
    const load = startLoad(balancer.origin, 'restart', CLIENTS)
    await expect.poll(load.answered, { timeout: 120_000 }).toBeGreaterThan(10 * CLIENTS)
    await interruptDatabase()
    const restored = performance.now()
    await onEach((origin) =>
      expect
        .poll(() => call(origin, 'GET', '/knowledge/stats').then(({ status }) => status), { timeout: 60_000 })
        .toBe(200),
    )
    console.info(`All answered ${Math.round(performance.now() - restored)} ms after the database was back`)
    const before = load.answered()
    await expect.poll(load.answered, { timeout: 120_000 }).toBeGreaterThan(before + 5 * CLIENTS)
    await load.stop()
    console.info(`The database was away: ${JSON.stringify(load.statuses)}`)
    expect(load.faults, complaints()).toEqual([])
    expect(load.statuses[503]).toBeGreaterThan(0)
    expect(await findLosses(balancer.origin, load)).toEqual([])

    // What listens is connected again too, also on streams that were opened before.
    const content = 'after the outage'
    await ask('POST', '/agent/sessions/through-it/messages', { content })
    const isIt = ({ data }: { data: { content?: string; message?: { content: string } } }) =>
      (data.message ?? data).content === content
    await Promise.all(streams.map((stream) => stream.waitFor(isIt)))
    await Promise.all(streams.map((stream) => stream.close()))
    const { body } = await ask('PUT', '/tuner/params', { rrf_k: 77 })
    await untilAll((origin) => call(origin, 'GET', '/tuner/params').then((got) => got.body.version === body.version))
    for (const replica of replicas) expect(replica.output()).not.toMatch(/"level":"fatal"/)
  })

  it('stop when they are told to', async () => {
    const exits = await Promise.all(replicas.map((replica) => replica.stop('SIGTERM')))
    expect(exits).toEqual(replicas.map(() => ({ code: 0, signal: null })))
  })
})
