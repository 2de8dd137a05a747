import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { createApp } from '../../../src/app.ts'
import type { App } from '../../../src/http/server.ts'
import type { Role } from '../../../src/kernel/people.ts'
import { chooseSeed, randomFrom } from '../../contract/support/random.ts'
import { openEventStream, originOf, type StreamEvent } from '../../support/event-stream.ts'
import { createTestApp, testConfig } from '../../support/test-app.ts'

/** A day at the desk: customers write, people take, answer, transfer, release and resolve, all at once. */
interface DayOptions {
  /** The replicas, which share a database and the key. */
  apps: readonly App[]
  apiKey: string
  people: number
  conversations: number
  seed: number
}

const API_KEY = 'a secret of 24 characters'

/** A day on two replicas where there is a server, else on the one that an embedded database has. */
export async function playDayOnReplicas(
  size: Pick<DayOptions, 'people' | 'conversations'>,
): Promise<Ledger['outcomes']> {
  const seed = chooseSeed()
  process.stdout.write(`Played with TEST_SEED=${seed}\n`)
  const environment = { API_KEY, HANDOFF_TIMEOUT_SECONDS: '0' }
  const test = await createTestApp(environment)
  const isShared = process.env.TEST_DATABASE_URL !== undefined
  const second = isShared && (await createApp(testConfig(environment), await test.database.reopen(), test.app.log))
  try {
    return await playDay({ ...size, apps: second ? [test.app, second] : [test.app], apiKey: API_KEY, seed })
  } finally {
    if (second) await second.close()
    await test.close()
  }
}

/** What was acknowledged, to be compared with what is stored. */
interface Ledger {
  /** By session: texts that people were told are sent, with their authors. */
  written: Map<string, { text: string; author: string }[]>
  /** By session: texts of customers. */
  asked: Map<string, string[]>
  resolved: Set<string>
  /** By session: private notes, with their authors. */
  notes: Map<string, string[]>
  /** By session: the last score that a customer gave. */
  rated: Map<string, number>
  /** How often the whole desk was searched meanwhile. */
  searches: number
  /** How often each outcome came of each action. */
  outcomes: Map<string, number>
}

const PASSWORD = 'correct horse battery'
const CUSTOMERS_AT_ONCE = 4

interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever body came back
  body: any
}

type Call = (method: string, path: string, body?: object) => Promise<Answer>

interface Colleague {
  name: string
  call: Call
  headers(origin: string): Record<string, string>
}

/** Plays the day and holds everything that was stored and told against what was acknowledged. Throws where they differ. */
async function playDay(options: DayOptions): Promise<Ledger['outcomes']> {
  const random = randomFrom(options.seed)
  const origins = await Promise.all(options.apps.map(originOf))
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const program = callWith(
    () => pick(origins),
    () => ({ 'x-api-key': options.apiKey }),
  )
  const colleagues = await hire(options, origins, pick, program)
  const ledger: Ledger = {
    written: new Map(),
    asked: new Map(),
    resolved: new Set(),
    notes: new Map(),
    rated: new Map(),
    searches: 0,
    outcomes: new Map(),
  }
  const observer = observe(origins, options.apiKey, random)
  const day = { colleagues, pick, random, program, ledger, isOver: () => ledger.resolved.size >= options.conversations }
  const customers = customersOf(options, day)
  await Promise.all([customers, search(day), ...colleagues.map((colleague) => work(colleague, day))])
  ledger.outcomes.set('searches', ledger.searches)
  await compare(day)
  await observer.compare(program, [...ledger.asked.keys()])
  return ledger.outcomes
}

interface Day {
  colleagues: readonly Colleague[]
  pick: <T>(list: readonly T[]) => T
  random: () => number
  program: Call
  ledger: Ledger
  isOver(): boolean
}

async function hire(
  { people }: DayOptions,
  origins: readonly string[],
  pick: Day['pick'],
  program: Call,
): Promise<Colleague[]> {
  const hired: Colleague[] = []
  for (let n = 0; n < people; n++) {
    const name = `agent-${n}`
    const role: Role = n === 0 ? 'admin' : n === 1 ? 'editor' : 'agent'
    const added = await program('POST', '/console/people', { name, role, password: PASSWORD })
    expect(added.status).toBe(201)
    const answer = await fetch(`${origins[0]}/api/v1/console/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name, password: PASSWORD }),
    })
    const cookie = String(answer.headers.get('set-cookie')).split(';')[0] ?? ''
    const headers = (origin: string) => ({ cookie, origin })
    hired.push({ name, headers, call: callWith(() => pick(origins), headers) })
  }
  return hired
}

function callWith(origin: () => string, headers: (origin: string) => Record<string, string>): Call {
  return async (method, path, body) => {
    const at = origin()
    const response = await fetch(`${at}/api/v1${path}`, {
      method,
      headers: { ...headers(at), ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.status >= 500) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return { status: response.status, body: text === '' ? null : JSON.parse(text) }
  }
}

/** Customers who call for a person and go on writing until theirs is resolved. */
async function customersOf({ conversations }: DayOptions, day: Day): Promise<void> {
  const ids = Array.from({ length: conversations }, (_, n) => `day-${n}`)
  const say = async (id: string, message: string): Promise<void> => {
    const answer = await day.program('POST', '/chat', { message, session_id: id, user_id: `customer of ${id}` })
    expect(answer.status, id).toBe(200)
    const said = day.ledger.asked.get(id) ?? []
    day.ledger.asked.set(id, [...said, message])
  }
  const arrive = async (): Promise<void> => {
    for (let id = ids.shift(); id !== undefined; id = ids.shift()) {
      await say(id, day.pick(['I want to talk to a person', '请转人工客服', 'Do you sell horses?']))
      if (day.random() < 0.3) await say(id, `And another thing about ${id}`)
    }
  }
  await Promise.all(Array.from({ length: CUSTOMERS_AT_ONCE }, arrive))
  while (!day.isOver()) {
    const open = [...day.ledger.asked.keys()].filter((id) => !day.ledger.resolved.has(id))
    if (open.length > 0) await say(day.pick(open), `Are you there? ${day.random()}`)
    await sleep(20)
  }
}

/** A person at work: takes what waits, or what the assistant has, and does whatever comes to mind with it. */
async function work(colleague: Colleague, day: Day): Promise<void> {
  while (!day.isOver()) {
    const { body: pending } = await colleague.call('GET', '/agent/sessions/pending?limit=20')
    const waiting = (pending as { session_id: string }[]).map(({ session_id }) => session_id)
    const others = [...day.ledger.asked.keys()].filter((id) => !day.ledger.resolved.has(id))
    const candidates = waiting.length > 0 && day.random() < 0.8 ? waiting : others
    if (candidates.length === 0) {
      await sleep(10)
      continue
    }
    const id = day.pick(candidates)
    const { status } = await act(colleague, day, id, day.random() < 0.5 ? 'accept' : 'take')
    if (status === 200) await serve(colleague, day, id)
  }
}

async function serve(colleague: Colleague, day: Day, id: string): Promise<void> {
  for (let isMine = true; isMine; ) {
    const { status } = await write(colleague, day, id)
    isMine = status === 200
    if (!isMine) return
    if (day.random() < 0.3) await note(colleague, day, id)
    const chance = day.random()
    if (chance < 0.35) continue
    if (chance < 0.5) {
      const to = day.pick(day.colleagues).name
      await act(colleague, day, id, 'transfer', { agent_id: to, note: 'Please go on' })
    } else if (chance < 0.6) await act(colleague, day, id, 'release', { to: day.pick(['queue', 'assistant']) })
    else {
      const resolved = await act(colleague, day, id, 'resolve', { note: `by ${colleague.name}` })
      if (resolved.status === 200) await rate(day, id)
      isMine = false
    }
  }
}

async function write(colleague: Colleague, day: Day, id: string): Promise<Answer> {
  const text = `${colleague.name} on ${id}: ${day.random()}`
  const answer = await act(colleague, day, id, 'messages', { content: text })
  if (answer.status === 200) {
    const written = day.ledger.written.get(id) ?? []
    day.ledger.written.set(id, [...written, { text, author: colleague.name }])
  }
  return answer
}

async function act(colleague: Colleague, { ledger }: Day, id: string, action: string, body?: object): Promise<Answer> {
  const answer = await colleague.call('POST', `/agent/sessions/${id}/${action}`, body)
  expect([200, 409], `${action} ${id}: ${JSON.stringify(answer.body)}`).toContain(answer.status)
  const outcome = `${action} ${answer.status}`
  ledger.outcomes.set(outcome, (ledger.outcomes.get(outcome) ?? 0) + 1)
  return answer
}

async function note(colleague: Colleague, { ledger, random }: Day, id: string): Promise<void> {
  const content = `noted ${random()}`
  const { status } = await colleague.call('POST', `/agent/sessions/${id}/notes`, { content })
  expect(status).toBe(201)
  ledger.notes.set(id, [...(ledger.notes.get(id) ?? []), `${colleague.name}: ${content}`])
}

/** Half of the customers rate; somebody else may have taken the conversation again, and then it is as before. */
async function rate({ ledger, random, program }: Day, id: string): Promise<void> {
  ledger.resolved.add(id)
  if (random() < 0.5) return
  const score = 1 + Math.floor(random() * 5)
  const { status } = await program('POST', `/chat/sessions/${id}/rating`, { score, user_id: `customer of ${id}` })
  expect(status).toBe(200)
  ledger.rated.set(id, score)
}

/** Somebody who looks for conversations all day long. */
async function search(day: Day): Promise<void> {
  while (!day.isOver()) {
    const q = day.pick(['person', 'horses', 'another thing', '人工客服', 'agent-1', 'nowhere to be found'])
    const query = `q=${encodeURIComponent(q)}&counts=true${day.random() < 0.5 ? '&status=assigned' : ''}`
    const { status, body } = await day.program('GET', `/agent/sessions?${query}`)
    expect(status).toBe(200)
    const ids = body.sessions.map(({ session_id }: { session_id: string }) => session_id)
    expect(new Set(ids).size, 'each conversation once').toBe(ids.length)
    day.ledger.searches += 1
    await sleep(50)
  }
}

/** All that was acknowledged is stored, once and by its author, and every message by somebody who had the session then. */
async function compare({ ledger, program }: Day): Promise<void> {
  for (const [id, asked] of ledger.asked) {
    const { body } = await program('GET', `/agent/sessions/${id}`)
    const history = body.history as { role: string; content: string; agent_id?: string; event?: string }[]
    const customers = history.filter(({ role }) => role === 'user').map(({ content }) => content)
    expect(customers.toSorted(), id).toEqual(asked.toSorted())
    const people = history.filter(({ role }) => role === 'agent')
    const stored = people.map(({ content, agent_id }) => `${agent_id}: ${content}`)
    const written = (ledger.written.get(id) ?? []).map(({ text, author }) => `${author}: ${text}`)
    expect(stored.toSorted(), id).toEqual(written.toSorted())
    assertOwners(id, history)
    await compareAside(id, { ledger, program })
  }
}

async function compareAside(id: string, { ledger, program }: Pick<Day, 'ledger' | 'program'>): Promise<void> {
  const { body: noted } = await program('GET', `/agent/sessions/${id}/notes`)
  const notes = (noted.notes as { author: string; content: string }[]).map(
    ({ author, content }) => `${author}: ${content}`,
  )
  expect(notes.toSorted(), id).toEqual((ledger.notes.get(id) ?? []).toSorted())
  const { body: rated } = await program('GET', `/agent/ratings?session_id=${id}`)
  const scores = (rated.ratings as { score: number }[]).map(({ score }) => score)
  expect(scores.length, id).toBe(ledger.rated.has(id) ? Math.max(1, scores.length) : 0)
}

function assertOwners(id: string, history: readonly { role: string; agent_id?: string; event?: string }[]): void {
  let owner: string | undefined
  for (const { role, event, agent_id } of history) {
    if (role === 'system' && event) owner = ['accepted', 'transferred'].includes(event) ? agent_id : undefined
    else if (role === 'agent') expect(agent_id, `owner in ${id}`).toBe(owner)
  }
}

/** Follows the workspace with a connection that breaks again and again, and resumes where it was. */
function observe(origins: readonly string[], apiKey: string, random: () => number) {
  const seen: StreamEvent[] = []
  let isOver = false
  const follow = async (): Promise<void> => {
    while (!isOver) {
      // From the beginning of the day on.
      const last = seen.at(-1)?.id ?? '0'
      const origin = origins[Math.floor(random() * origins.length)] as string
      const headers = { 'x-api-key': apiKey, 'last-event-id': last }
      const stream = await openEventStream(origin, '/api/v1/agent/events', headers)
      await sleep(50 + random() * 400)
      await stream.close()
      for (const event of stream.inbox.all) if (event.id !== '') seen.push(event)
    }
  }
  const following = follow()
  return {
    /** Every message of the sessions that an observer is told of came, once. */
    async compare(program: Call, ids: readonly string[]): Promise<void> {
      await sleep(2_000)
      isOver = true
      await following
      const told = seen.map(({ data }) => data.message.message_id as string)
      expect(new Set(told).size, 'told once').toBe(told.length)
      const known = new Set(told)
      const missed: string[] = []
      for (const id of ids) {
        const { body } = await program('GET', `/agent/sessions/${id}`)
        for (const { message_id, role, event } of body.history) {
          const isTold = role === 'agent' || (role === 'system' && event)
          if (isTold && !known.has(message_id)) missed.push(`${id} ${role} ${event ?? ''}`)
        }
        assertOrder(id, body.history, told)
      }
      expect(missed).toEqual([])
    },
  }
}

/** Of one session in the order in which they are stored. */
function assertOrder(id: string, history: readonly { message_id: string }[], told: readonly string[]): void {
  const stored = history.map(({ message_id }) => message_id)
  const own = told.filter((message) => stored.includes(message))
  expect(own, id).toEqual(stored.filter((message) => own.includes(message)))
}
