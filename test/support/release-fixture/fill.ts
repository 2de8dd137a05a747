import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** What a database held, as its endpoints said it. A later release on the same database has to say the same. */
export interface Facts {
  stats: { total_chunks: number; total_documents: number }
  question: string
  reply: string
  orderQuestion: { message: string; user_id: string }
  orderReply: string
  histories: Record<string, { role: string; content: string }[]>
  pendingSolution: string
  approvedSolution: { question: string; solution: string }
  pendingSession: string
  canary: { doc_id: string; version: string }
  revised: { doc_id: string; current: string; earlier: string; text: string; earlierText: string }
  tickets: number
  experiment: { name: string; results: unknown }
  alerts: string[]
  evaluation: string
  parameters: unknown
}

// biome-ignore lint/suspicious/noExplicitAny: whatever body came back
type Body = any

const SAMPLE = new URL('../../../sample/', import.meta.url)

/** Uses every feature that keeps something, over HTTP alone: the endpoints are those that every release has. */
export async function fill(origin: string): Promise<Facts> {
  const call = async (method: string, path: string, body?: object): Promise<Body> => {
    const isForm = body instanceof FormData
    const response = await fetch(`${origin}/api/v1${path}`, {
      method,
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      ...(body === undefined || isForm ? {} : { headers: { 'content-type': 'application/json' } }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text === '' ? null : JSON.parse(text)
  }
  const upload = (path: string, name: string, content: string | Uint8Array, fields: Record<string, string> = {}) => {
    const form = new FormData()
    for (const [field, value] of Object.entries(fields)) form.set(field, value)
    form.set('file', new File([content as string | Uint8Array<ArrayBuffer>], name))
    return call('POST', path, form)
  }
  const chat = (session_id: string, message: string, more: object = {}): Promise<Body> =>
    call('POST', '/chat', { session_id, message, ...more })

  const question = 'How do I register?'
  const { reply } = await chat('kept-1', question)
  await chat('kept-1', 'Thank you')
  const orderQuestion = { message: 'Where is my order #W3757459?', user_id: 'wang_xiaoming_9647' }
  const order = await chat('kept-2', orderQuestion.message, orderQuestion)
  await chat('waiting', 'I want to talk to a person now', { user_id: 'somebody' })
  await chat('resolved', 'I want to talk to a person now', { user_id: 'another' })
  await call('POST', '/agent/sessions/resolved/accept', { agent_id: 'anna' })
  await call('POST', '/agent/sessions/resolved/messages', { content: 'We sent you a new one.' })
  await call('POST', '/agent/sessions/resolved/resolve', { note: 'replaced' })
  await call('POST', '/gateway', { channel: 'app', user_id: 'gateway-user', message: 'Hello', message_id: 'message-1' })

  const pending = {
    session_id: 'kept-1',
    question: 'Do you engrave lamps?',
    solution: 'Yes, in two weeks.',
    intent: '',
  }
  const approved = {
    session_id: 'kept-1',
    question: 'Can I rent a ladder?',
    solution: 'Yes, at the shop in Bern.',
    intent: '',
  }
  const pendingSolution = await call('POST', '/escalation/solution', pending)
  const { solution_id } = await call('POST', '/escalation/solution', approved)
  await call('POST', `/escalation/solutions/${solution_id}/approve`)

  const texts = [
    'Q: How tall is the blue tower?\nA: It is 40 metres tall.',
    'Q: How tall is the blue tower?\nA: It is 52 metres tall.',
  ]
  const [first = '', second = ''] = texts
  const { doc_id } = await upload('/knowledge/ingest', 'tower.md', first, { register: 'true' })
  const earlier = await call('GET', `/knowledge/documents/${doc_id}`)
  await upload('/knowledge/ingest', 'tower.md', second, { register: 'true' })
  const revised = await call('GET', `/knowledge/documents/${doc_id}`)
  const canary = { doc_id, version: earlier.current_version as string }
  await call('POST', '/knowledge/canary/ingest', { ...canary, sample_queries: [] })

  const tickets = await upload('/mining/tickets/import', 'tickets.csv', readFileSync(new URL('tickets.csv', SAMPLE)))
  await call('POST', '/mining/tickets', {})
  const experiment = { name: 'greeting', description: 'kept', variants: ['a', 'b'], traffic_split: { a: 0.5, b: 0.5 } }
  await call('POST', '/operations/experiments', experiment)
  for (const [variant, value] of [
    ['a', 1],
    ['a', 2],
    ['b', 5],
  ] as const)
    await call('POST', '/operations/experiments/greeting/metrics', { variant, metric_name: 'smiles', value })
  const { report_id } = await call('POST', '/evaluation/run', {})
  await call('PUT', '/tuner/params', { min_score: 0.07 })
  const alerts = await untilAny(async () => itemsOf(await call('GET', '/observability/alerts')))
  // What is written late (traces, counts) is written within seconds.
  await sleep(5_000)

  const histories: Facts['histories'] = {}
  for (const id of ['kept-1', 'kept-2', 'waiting', 'resolved']) {
    const { history } = await call('GET', `/agent/sessions/${id}`)
    histories[id] = history.map(({ role, content }: Body) => ({ role, content }))
  }
  return {
    stats: await call('GET', '/knowledge/stats'),
    question,
    reply,
    orderQuestion,
    orderReply: order.reply,
    histories,
    pendingSolution: pendingSolution.solution_id,
    approvedSolution: approved,
    pendingSession: 'waiting',
    canary,
    revised: {
      doc_id,
      current: revised.current_version,
      earlier: earlier.current_version,
      text: '52 metres',
      earlierText: '40 metres',
    },
    tickets: tickets.imported,
    experiment: { name: 'greeting', results: await call('GET', '/operations/experiments/greeting/results') },
    alerts: alerts.map(({ alert_id }) => alert_id),
    evaluation: report_id,
    parameters: (await call('GET', '/tuner/params')).params,
  }
}

function itemsOf(body: Body): Body[] {
  return Array.isArray(body) ? body : (body.alerts ?? body.items ?? body.solutions ?? body.reports ?? [])
}

async function untilAny(look: () => Promise<Body[]>): Promise<Body[]> {
  for (let i = 0; i < 600; i++) {
    const found = await look()
    if (found.length > 0) return found
    await sleep(500)
  }
  throw new Error('No alert was raised')
}
