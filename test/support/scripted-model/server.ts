import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { respond } from './endpoints.ts'
import { parseOrUndefined } from './prompt.ts'
import { createScript, type RecordedRequest, type Script, type ScriptedModelOptions } from './script.ts'

export interface ScriptedModel extends Script {
  /** For `LLM_BASE_URL`, `EMBEDDING_BASE_URL` and `RERANK_BASE_URL`: ends with `/v1`. */
  url: string
  port: number
  /** Every request since the last `clear`, in order of arrival. */
  requests: RecordedRequest[]
  /** TCP connections that are open now, idle ones included. */
  openConnections(): number
  /** Requests that are being answered now. */
  activeRequests(): number
  close(): Promise<void>
}

/** A real HTTP server on 127.0.0.1 that speaks the protocols of OpenAI, Anthropic, Cohere, Jina and TEI as scripted. */
export async function startScriptedModel(options: ScriptedModelOptions = {}): Promise<ScriptedModel> {
  const script = createScript(options.behaviour)
  const requests: RecordedRequest[] = []
  const sockets = new Set<Socket>()
  let active = 0
  let lastId = 0

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = parseOrUndefined(await readBody(request)) ?? null
    lastId += 1
    const { method = 'GET', url: path = '/', headers } = request
    const record: RecordedRequest = { id: lastId, method, path, headers, body, tokensSent: 0, outcome: 'pending' }
    requests.push(record)
    active += 1
    const gone = new AbortController()
    response.once('close', () => {
      active -= 1
      if (record.outcome === 'pending') record.outcome = response.writableFinished ? 'complete' : 'aborted'
      gone.abort()
    })
    if (response.destroyed) return
    await respond(record, response, gone.signal, script.next, options)
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (response.headersSent || response.destroyed) response.destroy()
      else response.writeHead(500).end(`The scripted model itself is broken: ${error}`)
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  })
  const port = await listen(server, options.port ?? 0)

  return {
    url: `http://127.0.0.1:${port}/v1`,
    port,
    requests,
    openConnections: () => sockets.size,
    activeRequests: () => active,
    enqueue: script.enqueue,
    addRule: script.addRule,
    setDefault: script.setDefault,
    clear: () => {
      script.clear()
      requests.length = 0
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}
