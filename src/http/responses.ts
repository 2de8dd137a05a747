import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** What a server is answering. */
export interface Responses {
  /** The newest of a connection; those before it have ended, or end before it does. */
  of(socket: Socket): ServerResponse | undefined
  /** The newest of each connection that has one under way. */
  running(): ServerResponse[]
}

const NEWEST = Symbol('newest response')
interface Answering extends Socket {
  [NEWEST]?: ServerResponse
}

/** Watches a server's responses by their connections, of which there are few, so that a request costs next to nothing. */
export function watchResponses(server: Server): Responses {
  const sockets = new Set<Answering>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    ;(socket as Answering)[NEWEST] = response
  })
  const of = (socket: Answering): ServerResponse | undefined => socket[NEWEST]
  return {
    of,
    running: () =>
      [...sockets].flatMap((socket) => {
        const response = of(socket)
        return response && !response.closed ? [response] : []
      }),
  }
}
