import { once } from 'node:events'
import { connect } from 'node:net'
import fastify from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { open } from './auth.ts'
import { type WatchedRequest, watchRequests } from './metrics.ts'

function setUp() {
  const begun: WatchedRequest[] = []
  const ended: number[] = []
  let onEnd = (): void => {}
  const app = fastify()
  watchRequests(app, (request) => {
    begun.push(request)
    return (status) => {
      ended.push(status)
      onEnd()
    }
  })
  app.get('/things/:id', async () => 'thing')
  app.get('/open', { config: open }, async () => 'open')
  app.get('/broken', async () => {
    throw new Error('broken')
  })
  app.get('/endless', (_request, reply) => {
    reply.hijack()
    reply.raw.writeHead(200)
    reply.raw.write('first')
  })
  const nextEnd = () =>
    new Promise<void>((resolve) => {
      onEnd = resolve
    })
  return { app, begun, ended, nextEnd }
}

describe('watching requests', () => {
  const opened: ReturnType<typeof setUp>['app'][] = []
  const start = () => {
    const watch = setUp()
    opened.push(watch.app)
    return watch
  }
  afterEach(() => Promise.all(opened.splice(0).map((app) => app.close())))

  it('tells the pattern, never the path, and the status once', async () => {
    const { app, begun, ended } = start()
    await app.inject('/things/4711?q=secret')
    await app.inject('/open')
    await app.inject('/broken')
    await app.inject('/nowhere')
    expect(begun).toEqual([
      { method: 'GET', route: '/things/:id', isOpen: false },
      { method: 'GET', route: '/open', isOpen: true },
      { method: 'GET', route: '/broken', isOpen: false },
      { method: 'GET', route: 'unknown', isOpen: false },
    ])
    expect(ended).toEqual([200, 200, 500, 404])
  })

  it('ends the request of a client that left in the middle of a stream, once', async () => {
    const { app, begun, ended, nextEnd } = start()
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as { port: number }
    const socket = connect(port, '127.0.0.1')
    socket.write('GET /endless HTTP/1.1\r\nhost: x\r\n\r\n')
    await once(socket, 'data')
    expect(begun).toHaveLength(1)
    const end = nextEnd()
    socket.destroy()
    await end
    expect(ended).toEqual([499])
  })

  it('ends each of several requests over one connection', async () => {
    const { app, ended } = start()
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    for (let i = 0; i < 3; i++) await (await fetch(`${address}/things/${i}`)).text()
    await app.close()
    expect(ended).toEqual([200, 200, 200])
  })
})
