// Load for the chat bench, in a process of its own: connections that are kept, each with one request under way.
import { connect, type Socket } from 'node:net'

export interface Load {
  port: number
  path: string
  /** Bodies, asked for in turns; each is sent once when `once` is set. */
  bodies: string[]
  clients: number
  seconds: number
  once: boolean
}

export interface Measured {
  /** Of every request, in milliseconds. */
  latencies: number[]
  seconds: number
  /** Answers of another status than 200. */
  failures: number
}

process.on('message', (load: Load) => {
  void run(load).then((measured) => process.send?.(measured))
})

const READ_BYTES = 64 * 1024
const NOTHING = Buffer.alloc(0)

/** Written by hand, because a client that costs more than the server it measures measures itself. */
async function run({ port, path, bodies, clients, seconds, once }: Load): Promise<Measured> {
  const requests = bodies.map((body) => requestOf(path, body))
  const latencies: number[] = []
  let next = 0
  let failures = 0
  const start = performance.now()
  const isOver = (): boolean => performance.now() - start > seconds * 1_000 || (once && next >= requests.length)
  const work = async (): Promise<void> => {
    const connection = await openConnection(port)
    while (!isOver()) {
      const began = performance.now()
      const status = await connection.ask(requests[next++ % requests.length] as Buffer)
      latencies.push(performance.now() - began)
      if (status !== 200) failures++
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: clients }, work))
  return { latencies, seconds: (performance.now() - start) / 1_000, failures }
}

function requestOf(path: string, body: string): Buffer {
  const bytes = Buffer.from(body)
  const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${bytes.length}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), bytes])
}

/** Reads into one buffer, past Node's streams: what the client costs, the server cannot have. */
async function openConnection(port: number) {
  let rest: Buffer = NOTHING
  let settle: (status: number) => void = () => {}
  let fail: (error: Error) => void = () => {}
  const buffer = Buffer.alloc(READ_BYTES)
  const callback = (bytes: number): boolean => {
    const data = buffer.subarray(0, bytes)
    const received = rest.length === 0 ? data : Buffer.concat([rest, data])
    const status = completeStatus(received)
    rest = status === null ? Buffer.from(received) : NOTHING
    if (status !== null) settle(status)
    return true
  }
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer, callback } })
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  socket.on('error', (error) => fail(error))
  return {
    ask: (request: Buffer): Promise<number> =>
      new Promise((resolve, reject) => {
        settle = resolve
        fail = reject
        socket.write(request)
      }),
    close: () => void socket.destroy(),
  }
}

/** Status of the response when all of it is there; every answer that is measured has a length. */
function completeStatus(received: Buffer): number | null {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const head = received.toString('latin1', 0, headEnd)
  const length = Number.parseInt(head.slice(head.indexOf('content-length: ') + 'content-length: '.length), 10)
  return received.length >= headEnd + 4 + length ? Number(head.slice(9, 12)) : null
}
