import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** The way to a database server, which can be cut. */
export interface DatabaseGate {
  /** The URL that leads through the gate. */
  readonly url: string
  /** Breaks every connection and refuses new ones, as a server does that is stopped. */
  cut(): Promise<void>
  /** Lets connections through again. */
  restore(): Promise<void>
  close(): Promise<void>
}

/** @param target URL of the database server */
export async function openDatabaseGate(target: string): Promise<DatabaseGate> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let server = await listen(0)
  const { port: ownPort } = server.address() as AddressInfo
  const own = new URL(target)
  own.hostname = '127.0.0.1'
  own.port = String(ownPort)

  function listen(onPort: number): Promise<Server> {
    const opened = createServer((near) => {
      const far = connect(Number(port || 5432), hostname)
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(socket)
        socket.on('error', () => other.destroy())
        socket.on('close', () => {
          sockets.delete(socket)
          other.destroy()
        })
        socket.pipe(other)
      }
    })
    return new Promise((resolve) => opened.listen(onPort, '127.0.0.1', () => resolve(opened)))
  }
  async function cut(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.resetAndDestroy()
    await closed
  }
  return {
    url: own.href,
    cut,
    async restore() {
      server = await listen(ownPort)
    },
    close: cut,
  }
}
