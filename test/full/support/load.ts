import { type Answer, call, upload } from './client.ts'

/** What clients of a service under load were told. */
export interface Load {
  /** Answers so far. */
  answered(): number
  /** Answers that are neither a success nor a refusal which says when to come again. */
  readonly faults: string[]
  readonly statuses: Record<string, number>
  /** Documents whose upload was acknowledged, with the mark that is in their text. */
  readonly documents: Map<string, string>
  /** Sessions and the messages in them that were acknowledged, in order. */
  readonly messages: Map<string, string[]>
  /** Lets the requests under way finish and sends no more. */
  stop(): Promise<void>
}

/** Clients that upload, ask and read, each one request after the other. `name` keeps two loads apart. */
export function startLoad(origin: string, name: string, clients: number): Load {
  const statuses: Record<string, number> = {}
  const faults: string[] = []
  const documents = new Map<string, string>()
  const messages = new Map<string, string[]>()
  let stopped = false
  let answered = 0

  function note(what: string, { status, headers, body }: Answer): boolean {
    answered++
    statuses[status] = (statuses[status] ?? 0) + 1
    const isRefusal = status === 503 && headers.has('retry-after') && typeof body.detail === 'string'
    if (status !== 200 && status !== 502 && !isRefusal) faults.push(`${what}: ${status} ${JSON.stringify(body)}`)
    return status === 200
  }
  async function step(client: number, number: number): Promise<void> {
    const mark = `mark${name}${client}n${number}x`
    const session = `load-${name}-${client}-${Math.floor(number / 8)}`
    if (number % 4 === 0) {
      const answer = await upload(origin, `${mark}.md`, `# About ${mark}\n\nThe article ${mark} is in aisle ${number}.`)
      if (note('upload', answer)) documents.set(answer.body.doc_id, mark)
    } else if (number % 4 === 3) {
      note('list', await call(origin, 'GET', '/knowledge/documents?limit=5'))
    } else {
      const message = `Where is the article ${mark}?`
      const answer = await call(origin, 'POST', '/chat', { message, session_id: session })
      if (note('chat', answer)) messages.set(session, [...(messages.get(session) ?? []), message])
    }
  }
  async function work(client: number): Promise<void> {
    for (let number = 0; !stopped; number++) {
      await step(client, number).catch(() => {
        statuses['broken off'] = (statuses['broken off'] ?? 0) + 1
      })
    }
  }
  const working = Array.from({ length: clients }, (_, client) => work(client))
  return {
    answered: () => answered,
    faults,
    statuses,
    documents,
    messages,
    async stop() {
      stopped = true
      await Promise.all(working)
    },
  }
}

/** What was acknowledged and is not there, seen at `origin`. */
export async function findLosses(origin: string, { documents, messages }: Load): Promise<string[]> {
  const losses: string[] = []
  for (const [docId, mark] of documents) {
    const { body } = await call(origin, 'GET', `/knowledge/documents/${docId}`)
    const active = (body.versions ?? []).filter((each: { status: string }) => each.status === 'active')
    const found = await call(origin, 'POST', '/agent/sessions/none/knowledge-recommend', { query: mark, top_k: 5 })
    const isFound = found.body.chunks.some((chunk: { content: string }) => chunk.content.includes(mark))
    if (active.length !== 1 || !isFound) losses.push(`document ${mark}: ${active.length} active, found: ${isFound}`)
  }
  for (const [session, sent] of messages) {
    const { body } = await call(origin, 'GET', `/chat/sessions/${session}/messages`)
    const stored: string[] = (body.messages ?? []).map(({ content }: { content: string }) => content)
    const missing = sent.filter((message) => !stored.includes(message))
    if (missing.length > 0) losses.push(`session ${session}: ${missing.join(' | ')}`)
  }
  return losses
}
