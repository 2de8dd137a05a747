import {
  type Client,
  createClient,
  type StreamEvent,
  type StreamRoute,
  stream,
} from '../../clients/typescript/src/index.ts'
import { originOf } from './event-stream.ts'
import { createInbox } from './stub-server.ts'
import type { TestApp } from './test-app.ts'

/** The typed client of a service that listens. */
export async function clientOf({ app }: TestApp, apiKey = ''): Promise<Client> {
  return createClient({ baseUrl: await originOf(app), apiKey })
}

/** Events that a test waits for, of any route that goes on; those from now on, as it is open when this resolves. */
export async function followed<R extends StreamRoute>(
  desk: Client,
  route: R,
  ...[input]: Parameters<typeof stream<R>> extends [unknown, unknown, ...infer Rest] ? Rest : never
) {
  const leaving = new AbortController()
  const inbox = createInbox<StreamEvent<R>>()
  const opened = Promise.withResolvers<void>()
  const send: Client['send'] = async (...args) => {
    const response = await desk.send(...args)
    opened.resolve()
    return response
  }
  const read = async (): Promise<void> => {
    const from = { ...(input as object), signal: leaving.signal }
    const events = (stream as (...args: unknown[]) => AsyncIterable<StreamEvent<R>>)({ send }, route, from)
    for await (const event of events) inbox.add(event)
  }
  const reading = read().catch(opened.reject)
  await opened.promise
  return {
    async waitFor<K extends StreamEvent<R>['event']>(
      name: K,
      isWanted: (event: StreamEvent<R>) => boolean = () => true,
    ): Promise<Extract<StreamEvent<R>, { event: K }>> {
      for (;;) {
        const found = inbox.all.find((each) => each.event === name && isWanted(each))
        if (found) return found as Extract<StreamEvent<R>, { event: K }>
        await inbox.waitFor(inbox.all.length + 1)
      }
    },
    async close(): Promise<void> {
      leaving.abort()
      await reading
    },
  }
}
