import { createInbox, type Inbox, type StubRequest, startStubServer } from '../stub-server.ts'

/** One answer that arrived; `text` is the words of either kind. */
export type DingtalkArrival = { session: string; msgtype: string; text: string; atUserIds: string[]; atMs: number }

/** A stand-in for DingTalk's session webhooks. */
export type DingtalkWebhookServer = {
  /** For the client's `extraOrigins`. */
  origin: string
  /** The `sessionWebhook` of a message. */
  webhookFor(session?: string): string
  replies: Inbox<DingtalkArrival>
  /** The next calls answer these codes instead, in order. */
  failNext(...errcodes: number[]): void
  close(): Promise<void>
}

const LIMIT = 20
const MINUTE_MS = 60_000
const MUTE_MS = 10 * MINUTE_MS
const MAX_BYTES = 20_000

/** Takes 20 messages a minute, then mutes the robot for ten minutes, as DingTalk documents it. */
export async function startDingtalkWebhook(
  options: { port?: number; now?: () => number } = {},
): Promise<DingtalkWebhookServer> {
  const now = options.now ?? Date.now
  const replies = createInbox<DingtalkArrival>()
  const failures: number[] = []
  let mutedUntilMs = 0

  function accept({ url, body }: StubRequest): number {
    const failure = failures.shift()
    if (failure !== undefined) return failure
    const session = url.searchParams.get('session')
    if (url.pathname !== '/robot/sendBySession' || !session) return 400_101
    if (body.byteLength > MAX_BYTES) return 460_101
    if (isTooFast()) return 410_100
    const arrival = readReply(JSON.parse(body.toString()))
    if (arrival === null) return 400_105
    replies.add({ ...arrival, session, atMs: now() })
    return 0
  }

  function isTooFast(): boolean {
    const recent = replies.all.filter(({ atMs }) => atMs > now() - MINUTE_MS)
    if (recent.length >= LIMIT) mutedUntilMs = now() + MUTE_MS
    return now() < mutedUntilMs
  }

  const server = await startStubServer((request) => {
    const errcode = accept(request)
    const body = JSON.stringify({ errcode, errmsg: errcode === 0 ? 'ok' : 'refused by the simulator' })
    return { contentType: 'application/json', body }
  }, options.port)
  return {
    origin: server.origin,
    webhookFor: (session = 'simulated') => `${server.origin}/robot/sendBySession?session=${session}`,
    replies,
    failNext: (...errcodes) => void failures.push(...errcodes),
    close: server.close,
  }
}

type Reply = {
  msgtype?: string
  text?: { content?: string }
  markdown?: { title?: string; text?: string }
  at?: { atUserIds?: string[] }
}

function readReply({ msgtype, text, markdown, at }: Reply) {
  const atUserIds = at?.atUserIds ?? []
  if (msgtype === 'text' && text?.content) return { msgtype, text: text.content, atUserIds }
  if (msgtype === 'markdown' && markdown?.title && markdown.text) return { msgtype, text: markdown.text, atUserIds }
  return null
}
