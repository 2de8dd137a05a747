import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The responses that a server is writing. */
export type Responses = ReturnType<typeof watchResponses>

const NEWEST = Symbol('newest response')
interface Answering extends Socket {
  [NEWEST]?: ServerResponse
}

/** Watches a server's responses by their connections, of which there are few, so that a request costs next to nothing. */
export function watchResponses(server: Server) {
  const sockets = new Set<Answering>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    ;(socket as Answering)[NEWEST] = response
  })
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
