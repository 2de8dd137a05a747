import { type AddressInfo, connect, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { makeWidget, SHOP } from '../support/widget.ts'
import { fillPath, routesOf } from './support/routes.ts'

const API_KEY = 'a secret of 24 characters'

describe('the public listener', () => {
  let both: TestApp
  let origin: string
  beforeAll(async () => {
    both = await createTestApp({ API_KEY, PUBLIC_PORT: '1' })
    const server = both.app.publicServer as Server
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => both.close())

  const PUBLIC =
    /^\/(?:widget(?:\.js)?$|api\/v1\/(?:widget\/|gateway\/(?:wechat|dingtalk)$|attachments\/:attachment_id$|health$))/

  it('answers 404 to every route but those of customers and channels', async () => {
    const wrong: string[] = []
    for (const route of routesOf(both.app)) {
      const headers = { 'x-api-key': API_KEY }
      const method = route.method === 'HEAD' ? 'GET' : route.method
      if (PUBLIC.test(route.path)) continue
      const { status } = await fetch(new URL(fillPath(route), origin), { method, headers })
      if (status !== 404) wrong.push(`${route.method} ${route.path}: ${status}`)
    }
    expect(wrong).toEqual([])
  })

  it.each([
    '//api/v1/agent/sessions',
    '/api/v1/widget/../agent/sessions',
    '/api/v1/widget/%2e%2e/agent/sessions',
    '/api/v1/agent%2fsessions',
    '/API/v1/agent/sessions',
    '/api/v1/agent/sessions/',
    '/api/v1/agent/sessions?x=/api/v1/widget/settings',
    '/api/v1/keys;/api/v1/widget/settings',
    '/docs',
    '/openapi.json',
    '/metrics',
    '/',
  ])('knows no other way in: %s', async (path) => {
    const answer = await raw(
      origin,
      `GET ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${API_KEY}\r\nconnection: close\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 (?:404|400) /)
    expect(answer).not.toMatch(/^allow:/im)
  })

  it('serves a widget, and says nothing of a wrong method but that there is nothing', async () => {
    const { key } = await makeWidget(both)
    const settings = await fetch(`${origin}/api/v1/widget/settings?key=${key}`, { headers: { origin: SHOP } })
    expect(settings.status).toBe(200)
    expect((await fetch(`${origin}/api/v1/health`)).status).toBe(200)
    expect((await fetch(`${origin}/api/v1/widget/settings`, { method: 'DELETE' })).status).toBe(404)
    expect((await fetch(`${origin}/api/v1/gateway`, { method: 'POST' })).status).toBe(404)
  })

  it('answers what is no HTTP in the form of the contract', async () => {
    expect(await raw(origin, 'nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [\s\S]*\{"detail":/)
  })
})

function raw(origin: string, text: string): Promise<string> {
  const { port } = new URL(origin)
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(text))
    socket.on('data', (data) => {
      answer += String(data)
    })
    socket.on('close', () => resolve(answer))
  })
}
