import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The responses that servers are writing. */
export type Responses = ReturnType<typeof watchResponses>

const NEWEST = Symbol('newest response')
interface Answering extends Socket {
  [NEWEST]?: ServerResponse
}

/** Watches the responses of servers by their connections, of which there are few, so that a request costs next to nothing. */
export function watchResponses(servers: readonly Server[]) {
  const sockets = new Set<Answering>()
  for (const server of servers) {
    server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    })
    server.on('request', ({ socket }, response) => {
      ;(socket as Answering)[NEWEST] = response
    })
  }
  /** The newest of a connection; those before it have ended, or end before it does. */
  const of = (socket: Answering): ServerResponse | undefined => socket[NEWEST]
  return {
    of,
    /** The newest of each connection that has one under way. */
    running: (): ServerResponse[] =>
      [...sockets].flatMap((socket) => {
        const response = of(socket)
        return response && !response.closed ? [response] : []
      }),
  }
}
