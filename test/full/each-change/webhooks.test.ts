import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { type Child, newStorage, type Storage, startChild } from '../../contract/support/child.ts'
import { chooseSeed, randomFrom } from '../../contract/support/random.ts'
import { type Answer, createReceiver, type Receiver } from '../../support/webhook-receiver.ts'

const API_KEY = 'a secret of 24 characters'
const SETTINGS = { API_KEY, WEBHOOK_HOSTS: '127.0.0.1', WEBHOOK_RETRY_SECONDS: '1', WEBHOOK_TIMEOUT_MS: '300' }
const CONVERSATIONS = 100
/** Called, then given to a person and back four times, then given to a person. */
const EVENTS_OF_EACH = 10

let storage: Storage | undefined
let receiver: Receiver | undefined
const children: Child[] = []
afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => child.stop('SIGKILL')))
  await receiver?.close()
  await storage?.remove()
})

/** Takes most events; others it refuses, redirects, leaves without an answer, or takes and says so in a way that breaks off. */
function unreliable(random: () => number): Answer {
  return (response) => {
    const mood = random()
    if (mood < 0.06) response.writeHead(500).end('no')
    else if (mood < 0.1) return false
    else if (mood < 0.13) response.writeHead(301, { location: 'http://127.0.0.1:1/' }).end()
    else if (mood < 0.17) response.destroy()
    else if (mood < 0.2) response.writeHead(200, { 'content-length': '1000' }).write('cut', () => response.destroy())
    else if (mood < 0.21) keepTalking(response.writeHead(200))
    else response.writeHead(200).end('ok')
    return mood >= 0.17
  }
}

function keepTalking(response: Parameters<Answer>[0]): void {
  const timer = setInterval(() => response.write('and so on '), 20)
  response.on('close', () => clearInterval(timer))
}

async function call(origin: string, path: string, body: object): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json', 'x-api-key': API_KEY }
  const response = await fetch(`${origin}/api/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const answer = (await response.json()) as Record<string, unknown>
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`)
  return answer
}

async function converse(origin: string, session_id: string): Promise<void> {
  await call(origin, 'chat', { session_id, user_id: session_id, message: 'I want to talk to a person' })
  const act = (path: string) => call(origin, `agent/sessions/${session_id}/${path}`, {})
  for (let round = 0; round < 4; round++) {
    await act('accept')
    await act('release')
  }
  await act('accept')
}

it('brings a thousand events to a receiver that fails, hangs and lies, in order, through a kill', {
  timeout: 400_000,
}, async () => {
  const seed = chooseSeed()
  console.info(`A receiver with TEST_SEED=${seed}`)
  receiver = await createReceiver(unreliable(randomFrom(seed)))
  storage = await newStorage()
  const isServer = process.env.TEST_DATABASE_URL !== undefined
  const first = await startChild(storage, SETTINGS)
  children.push(first)
  // A server's replicas share the work.
  if (isServer) children.push(await startChild(storage, SETTINGS))
  await call(first.origin, 'webhooks', { url: receiver.url, events: ['conversation.waiting', 'conversation.assigned'] })
  const sessions = Array.from({ length: CONVERSATIONS }, (_, i) => `talk-${i}`)
  const half = CONVERSATIONS / 2
  await Promise.all(sessions.slice(0, half).map((id) => converse(first.origin, id)))
  await receiver.waitFor(100)
  await first.stop('SIGKILL')
  const second = await startChild(storage, SETTINGS)
  children.push(second)
  await Promise.all(sessions.slice(half).map((id) => converse(second.origin, id)))

  const { all } = receiver
  const distinct = (): number => new Set(all.map(({ id }) => id)).size
  for (const until = Date.now() + 240_000; distinct() < CONVERSATIONS * EVENTS_OF_EACH && Date.now() < until; ) {
    await sleep(200)
  }
  expect(distinct()).toBe(CONVERSATIONS * EVENTS_OF_EACH)
  for (const session of sessions) {
    const came = all.filter(({ data }) => data.session_id === session)
    const firsts = [...new Map(came.map((event) => [event.id, event])).values()]
    expect(firsts.map(({ type }) => type)).toEqual([
      'conversation.waiting',
      ...Array.from({ length: 4 }, () => ['conversation.assigned', 'conversation.waiting']).flat(),
      'conversation.assigned',
    ])
    const order = firsts.map(({ sequence }) => sequence)
    expect(order).toEqual(order.toSorted((a, b) => a - b))
    // What comes again comes before what follows it.
    expect(came.map(({ sequence }) => sequence)).toEqual(came.map(({ sequence }) => sequence).toSorted((a, b) => a - b))
  }
  console.info(`${all.length} requests for ${distinct()} events`)
})
