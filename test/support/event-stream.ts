import type { App } from '../../src/http/server.ts'
import { createInbox, type Inbox } from './stub-server.ts'

export interface StreamEvent {
  event: string
  id: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came
  data: any
}

export interface EventStream {
  status: number
  headers: Headers
  inbox: Inbox<StreamEvent>
  /** Comment lines, heartbeats among them. */
  comments: string[]
  /** Resolves once an event came that the test waits for. */
  waitFor(wanted: (event: StreamEvent) => boolean): Promise<StreamEvent>
  close(): Promise<void>
}

/** Origin of a listening app, which starts to listen when it does not yet. */
export async function originOf(app: App): Promise<string> {
  const [address] = app.addresses()
  return typeof address === 'object' ? `http://127.0.0.1:${address.port}` : app.listen({ port: 0, host: '127.0.0.1' })
}

/** Follows a stream of server-sent events over a real connection, of an app or of whatever listens at an origin. */
export async function openEventStream(
  from: App | string,
  path: string,
  headers: Record<string, string> = {},
): Promise<EventStream> {
  const leaving = new AbortController()
  const origin = typeof from === 'string' ? from : await originOf(from)
  const response = await fetch(`${origin}${path}`, { headers, signal: leaving.signal })
  const inbox = createInbox<StreamEvent>()
  const comments: string[] = []
  const reading = read(response, inbox, comments).catch(() => {})
  return {
    status: response.status,
    headers: response.headers,
    inbox,
    comments,
    async waitFor(wanted) {
      for (;;) {
        const found = inbox.all.find(wanted)
        if (found) return found
        await inbox.waitFor(inbox.all.length + 1)
      }
    },
    async close() {
      leaving.abort()
      await reading
    },
  }
}

async function read(response: Response, inbox: Inbox<StreamEvent>, comments: string[]): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of response.body ?? []) {
    rest += decoder.decode(bytes, { stream: true })
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      const lines = rest.slice(0, end).split('\n')
      rest = rest.slice(end + 2)
      const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? ''
      comments.push(...lines.filter((line) => line.startsWith(':')))
      if (field('event') !== '') inbox.add({ event: field('event'), id: field('id'), data: JSON.parse(field('data')) })
    }
  }
}
