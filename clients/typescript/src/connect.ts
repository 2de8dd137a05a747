import type { Routes } from './generated/routes.ts'
import type { CallOptions, Client, RawInput, RouteWith } from './plain-client.ts'
import { readEvents, type ServerEvent } from './server-events.ts'

export type StreamRoute = RouteWith<'events'>
type EventsOf<R extends StreamRoute> = Routes[R] extends { events: infer E } ? E : never
/** One of a route's events; `event` says which, and so what `data` is. */
export type StreamEvent<R extends StreamRoute> = {
  [K in keyof EventsOf<R>]: { event: K; data: EventsOf<R>[K]; id: string | undefined }
}[keyof EventsOf<R>]

/** The service sends a comment every 15 seconds, so a longer silence means a connection that is no more. */
const SILENCE_MS = 45_000

/** One connection, cut when the loop is left, the signal aborts or nothing comes for too long. */
export async function* connect(
  client: Pick<Client, 'send'>,
  route: StreamRoute,
  input: RawInput & CallOptions,
  onOpen: () => void = () => {},
): AsyncGenerator<ServerEvent, void, void> {
  const { signal } = input
  const cut = new AbortController()
  const leave = () => cut.abort(signal?.reason)
  if (signal?.aborted) leave()
  signal?.addEventListener('abort', leave, { once: true })
  let silence: ReturnType<typeof setTimeout> | undefined
  const hear = () => {
    clearTimeout(silence)
    silence = setTimeout(() => cut.abort(new Error('Nothing came for too long')), SILENCE_MS)
  }
  try {
    const headers = { accept: 'text/event-stream', ...input.headers }
    const response = await client.send(route, { ...input, headers, signal: cut.signal })
    onOpen()
    hear()
    if (response.body) yield* readEvents(response.body, hear)
  } finally {
    clearTimeout(silence)
    signal?.removeEventListener('abort', leave)
    cut.abort()
  }
}
