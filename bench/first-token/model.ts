// A model that answers at once and tells its parent when it sent its first token to a question about "parcel-N".
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const TOKENS = ['Goods', ' may', ' be', ' returned', ' within', ' 14', ' days', ' [1]', '.']
/** Before the first token and between two, in milliseconds. */
const PAUSE_MS = 20

const server = createServer(async (request, response) => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const mark = /parcel-\d+/.exec(Buffer.concat(parts).toString())?.[0] ?? ''
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const [i, content] of TOKENS.entries()) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    send(response, { delta: { content } })
    if (i === 0) process.send?.({ mark, at: performance.timeOrigin + performance.now() })
  }
  send(response, { delta: {}, finish_reason: 'stop' })
  response.end('data: [DONE]\n\n')
})

function send(response: ServerResponse, choice: object): void {
  const chunk = { id: 'c', object: 'chat.completion.chunk', created: 0, model: 'm', choices: [{ index: 0, ...choice }] }
  response.write(`data: ${JSON.stringify(chunk)}\n\n`)
}

server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` })
})
