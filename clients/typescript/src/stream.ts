import { connect, type StreamEvent, type StreamRoute } from './connect.ts'
import { FrontdeskError } from './error.ts'
import type { Arguments, Client, RawInput } from './plain-client.ts'
import type { ServerEvent } from './server-events.ts'
import { backOff, wait } from './wait.ts'

/** Events after which a run has nothing more to say. A conversation's have ids, and go on. */
const LAST_OF_RUN = new Set(['finished', 'failed', 'cancelled', 'interrupted'])

/**
 * The events of a route as they come. A POST's are one reply and end with `done` or `error`. A GET's go on: a connection
 * that breaks is made again, with `Last-Event-ID`, until the loop is left or the signal aborts.
 */
export function stream<R extends StreamRoute>(
  client: Pick<Client, 'send'>,
  route: R,
  ...[input]: Arguments<R>
): AsyncGenerator<StreamEvent<R>, void, void> {
  const from = (input ?? {}) as RawInput
  const events = route.startsWith('GET ') ? follow(client, route, from) : readReply(client, route, from)
  return events as AsyncGenerator<StreamEvent<R>, void, void>
}

async function* readReply(client: Pick<Client, 'send'>, route: StreamRoute, input: RawInput) {
  let last = ''
  for await (const event of connect(client, route, input)) {
    last = event.event
    yield event
  }
  if (last !== 'done' && last !== 'error') throw new FrontdeskError(0, 'The reply broke off')
}

async function* follow(client: Pick<Client, 'send'>, route: StreamRoute, input: RawInput) {
  let lastId = input.headers?.['last-event-id']
  let last: ServerEvent | undefined
  let failures = 0
  let wasConnected = false
  const onOpen = () => {
    wasConnected = true
  }
  for (;;) {
    let failure: unknown
    try {
      for await (last of connect(client, route, resumed(input, lastId), onOpen)) {
        failures = 0
        lastId = last.id ?? lastId
        yield last
      }
      if (last && isLastOfRun(last)) return
    } catch (error) {
      if (input.signal?.aborted || !wasConnected || !mayPass(error)) throw error
      failure = error
    }
    await wait(pauseAfter(last, failure) ?? backOff(failures++), input.signal)
    last = undefined
  }
}

function resumed(input: RawInput, lastId: string | undefined): RawInput {
  return lastId === undefined ? input : { ...input, headers: { ...input.headers, 'last-event-id': lastId } }
}

function isLastOfRun({ event, id }: ServerEvent): boolean {
  return id === undefined && LAST_OF_RUN.has(event)
}

/** Milliseconds that the service asks for, by its farewell or its refusal. */
function pauseAfter(last: ServerEvent | undefined, failure: unknown): number | undefined {
  if (failure instanceof FrontdeskError) return failure.retryAfter === null ? undefined : failure.retryAfter * 1000
  if (last?.event !== 'closing') return undefined
  return (last.data as { retry_after_seconds: number }).retry_after_seconds * 1000
}

function mayPass(error: unknown): boolean {
  if (error instanceof FrontdeskError) return [429, 502, 503, 504].includes(error.status)
  // Data that is no JSON is none the next time either.
  return !(error instanceof SyntaxError)
}
