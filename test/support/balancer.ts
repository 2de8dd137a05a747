import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A load balancer as it stands in front of several replicas. */
export interface Balancer {
  readonly origin: string
  /** Takes the place of the replicas so far; requests that they have begun go on. */
  setReplicas(origins: readonly string[]): void
  close(): Promise<void>
}

/**
 * Hands requests out in turns and passes bodies on in both directions as they come, event streams too. Nobody listens at
 * one: the next is asked. One that breaks off before it answered: 502, since it may have done what was asked.
 */
export async function startBalancer(origins: readonly string[]): Promise<Balancer> {
  let replicas = [...origins]
  let turn = 0
  const server = createServer((incoming, outgoing) => {
    const first = turn++
    forward(incoming, outgoing, [
      ...replicas.slice(first % replicas.length),
      ...replicas.slice(0, first % replicas.length),
    ])
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setReplicas(next) {
      replicas = [...next]
    },
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse, [origin, ...others]: readonly string[]): void {
  if (origin === undefined) return void fail(outgoing)
  const { method, url, headers } = incoming
  const passed = request(`${origin}${url}`, { method, headers, agent: false })
  passed.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNREFUSED') forward(incoming, outgoing, others)
    else fail(outgoing)
  })
  passed.on('response', (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    outgoing.flushHeaders()
    answer.pipe(outgoing)
    answer.on('error', () => outgoing.destroy())
  })
  // Only what connected gets the body, so that it is whole for the next one.
  passed.on('socket', (socket) => socket.once('connect', () => incoming.pipe(passed)))
  outgoing.on('close', () => passed.destroy())
}

function fail(outgoing: ServerResponse): void {
  if (outgoing.headersSent) outgoing.destroy()
  else outgoing.writeHead(502, { 'content-type': 'text/plain' }).end('The replica broke off')
}
