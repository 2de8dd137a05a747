import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  id: string
  type: string
  sequence: number
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came
  data: any
  headers: IncomingMessage['headers']
  body: string
}

export interface Receiver {
  url: string
  /** Everything that came, whatever was answered. */
  all: Received[]
  /** Those that were answered with 2xx, or that the sender may take for it. */
  taken: Received[]
  /** Resolves once so many came. */
  waitFor(count: number): Promise<void>
  close(): Promise<void>
}

/** Answers a request; true: the event counts as taken. Default: 200. */
export type Answer = (response: ServerResponse, received: Received) => boolean

/** A program elsewhere that takes events of webhooks, or does not. */
export async function createReceiver(answer: Answer = take): Promise<Receiver> {
  const all: Received[] = []
  const taken: Received[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += String(chunk)
    })
    request.on('end', () => {
      const received = { ...JSON.parse(body), headers: request.headers, body } as Received
      all.push(received)
      if (answer(response, received)) taken.push(received)
    })
    response.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/events`,
    all,
    taken,
    async waitFor(count) {
      for (const until = Date.now() + 30_000; all.length < count; ) {
        if (Date.now() > until) throw new Error(`${all.length} of ${count} events came`)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function take(response: ServerResponse): boolean {
  response.writeHead(200).end('ok')
  return true
}

/** As the specification of Standard Webhooks has a receiver do it. */
export function isSigned({ headers, body }: Received, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const expected = `v1,${createHmac('sha256', key).update(content).digest('base64')}`
  const isFresh = Math.abs(Date.now() / 1000 - Number(headers['webhook-timestamp'])) < 300
  return isFresh && String(headers['webhook-signature']).split(' ').includes(expected)
}
