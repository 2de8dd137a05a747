import { once } from 'node:events'
import type { FastifyReply } from 'fastify'
import { AppError } from '../kernel/errors.ts'

export interface SseEvent {
  event: string
  data: unknown
  /** Lets a client resume after this event with `Last-Event-ID`. */
  id?: string
}

const EVENT_STREAM = 'text/event-stream; charset=utf-8'
const HEARTBEAT_MS = 15_000

/** A signal that aborts when the client of `reply` leaves before the response ended, or the server cuts it off. */
export function clientSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const others = watchedBy(reply.server.cutting)
  others.add(controller)
  // The request's own 'close' fires once its body was read; the response's tells that the connection went.
  reply.raw.once('close', () => {
    others.delete(controller)
    if (!reply.raw.writableFinished) controller.abort(new AppError('bad_request', 'client_left', 'The client left'))
  })
  return controller.signal
}

const watched = new WeakMap<AbortSignal, Set<AbortController>>()

/**
 * The controllers that end with a signal that outlives them by far: one listener for all, which is a tenth of the time
 * of one for each.
 */
function watchedBy(signal: AbortSignal): Set<AbortController> {
  const known = watched.get(signal)
  if (known) return known
  const controllers = new Set<AbortController>()
  watched.set(signal, controllers)
  signal.addEventListener('abort', () => {
    for (const controller of controllers) controller.abort(signal.reason)
  })
  return controllers
}

/**
 * Writes events as they come, with a comment line every 15 s so that proxies keep the connection, and at the speed of
 * the client. Ends when the events end or the client leaves; the iterator is then told to stop. When the server closes,
 * a last event says so: `closing` on streams that would go on for ever, `error` on those that had not come to their end.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html
 *
 * @param goesOn the events are wanted to their end when the client has left: it comes again for the answer
 */
export async function sendEvents(
  reply: FastifyReply,
  events: AsyncIterable<SseEvent>,
  { goesOn = false } = {},
): Promise<void> {
  const recording = reply.request.idempotency
  let sent = ''
  let whole = false
  let last = ''
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    ...reply.getHeaders(),
    'content-type': EVENT_STREAM,
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  } as Record<string, string>)
  raw.flushHeaders()
  // Its headers are all that was asked for.
  if (reply.request.method === 'HEAD') return void raw.end()
  const heartbeat = setInterval(() => raw.write(': heartbeat\n\n'), HEARTBEAT_MS)
  try {
    for await (const event of events) {
      if (raw.destroyed && !goesOn) break
      const text = encodeEvent(event)
      last = event.event
      if (recording) sent += text
      if (!raw.destroyed && !raw.write(text)) await drained(raw)
    }
    whole = goesOn || !raw.destroyed
  } finally {
    clearInterval(heartbeat)
    const farewell = farewellOf(reply, last)
    if (farewell && !raw.destroyed) raw.write(encodeEvent(farewell))
    await recording?.record({ status: statusOf(whole, last), contentType: EVENT_STREAM, body: sent })
    raw.end()
  }
}

/** A stream that broke off, or ended with an error, may be asked for again, as any answer of a server that failed. */
function statusOf(whole: boolean, last: string): number {
  return whole && last !== 'error' ? 200 : 500
}

const RECONNECT_SECONDS = 2

function farewellOf(reply: FastifyReply, last: string): SseEvent | undefined {
  if (!reply.server.closing.aborted) return undefined
  // A stream that is followed, and not asked for, has no end of its own.
  if (reply.request.method === 'GET') return { event: 'closing', data: { retry_after_seconds: RECONNECT_SECONDS } }
  return last === 'done' || last === 'error'
    ? undefined
    : { event: 'error', data: { message: 'The service is shutting down' } }
}

/** JSON holds no raw line breaks, so `data` is one line. */
export function encodeEvent({ event, data, id }: SseEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

async function drained(raw: FastifyReply['raw']): Promise<void> {
  const controller = new AbortController()
  await Promise.race([once(raw, 'drain', controller), once(raw, 'close', controller)]).catch(() => {})
  controller.abort()
}
