import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One request as a stub sees it: the whole body is read, at most a test's size. */
export type StubRequest = { method: string; url: URL; headers: IncomingMessage['headers']; body: Buffer }

export type StubAnswer = { status?: number; contentType?: string; body: string }

export type StubServer = { origin: string; close(): Promise<void> }

/** A small HTTP server on a loopback port (0: any free one). What `answer` throws becomes a 500 with its message. */
export async function startStubServer(
  answer: (request: StubRequest) => StubAnswer | Promise<StubAnswer>,
  port = 0,
): Promise<StubServer> {
  const server = createServer((incoming, outgoing) => void respond(answer, incoming, outgoing))
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

async function respond(
  answer: (request: StubRequest) => StubAnswer | Promise<StubAnswer>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { status = 200, contentType = 'text/plain', body } = await read(incoming).then(answer).catch(failure)
  if (outgoing.writable) outgoing.writeHead(status, { 'content-type': `${contentType}; charset=utf-8` }).end(body)
}

async function read(incoming: IncomingMessage): Promise<StubRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const url = new URL(incoming.url ?? '/', 'http://stub')
  return { method: incoming.method ?? 'GET', url, headers: incoming.headers, body: Buffer.concat(chunks) }
}

function failure(error: unknown): StubAnswer {
  return { status: 500, body: error instanceof Error ? error.message : String(error) }
}

/** Things that arrive one by one, to look at or to wait for. */
export type Inbox<T> = {
  readonly all: readonly T[]
  add(item: T): void
  /** Resolves once `count` items are there; rejects after `timeoutMs`, naming what did arrive. */
  waitFor(count: number, timeoutMs?: number): Promise<readonly T[]>
}

export function createInbox<T>(): Inbox<T> {
  const all: T[] = []
  const watchers = new Set<() => void>()
  return {
    all,
    add(item) {
      all.push(item)
      for (const watcher of watchers) watcher()
    },
    waitFor(count, timeoutMs = 10_000) {
      if (all.length >= count) return Promise.resolve(all)
      const { promise, resolve, reject } = Promise.withResolvers<readonly T[]>()
      const settle = (finish: () => void) => {
        clearTimeout(timer)
        watchers.delete(watcher)
        finish()
      }
      const watcher = () => void (all.length >= count && settle(() => resolve(all)))
      const complaint = () => new Error(`expected ${count} items, got ${all.length}: ${JSON.stringify(all)}`)
      const timer = setTimeout(() => settle(() => reject(complaint())), timeoutMs)
      watchers.add(watcher)
      return promise
    },
  }
}
