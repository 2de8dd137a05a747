import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopesOf } from '../../src/http/scopes.ts'
import { ROLES, type Role, scopesOfRole } from '../../src/kernel/people.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { fillPath, isKeyed, isOfWidget, isStream, type KnownRoute, routesOf } from './support/routes.ts'

const API_KEY = 'a secret of 24 characters'
const ORIGIN = { origin: 'http://localhost', host: 'localhost' }
const PASSWORD = 'correct horse battery'
/** Own matters: whoever is logged in may do these. */
const ANYBODYS = ['/api/v1/console/password', '/api/v1/console/sessions', '/api/v1/console/sessions/:log_in_id']
/** What would end the log-in that the test asks with, or is asked for elsewhere as it takes long. */
const LEFT_OUT = /^(?:DELETE|POST|GET) \/api\/v1\/console\/session$|^POST \/api\/v1\/evaluation\/run$/

/** Every role and every endpoint of the running program: what the one table of scopes says is what happens. */
describe('every endpoint', () => {
  let test: TestApp
  let routes: KnownRoute[]
  const cookies = new Map<Role, string>()
  beforeAll(async () => {
    test = await createTestApp({ API_KEY, OPEN_GROUPS: 'false' })
    routes = routesOf(test.app).filter(({ method, path, group }) => {
      const isAsked =
        group !== '' &&
        group !== 'health' &&
        !isOfWidget(path) &&
        !/\/gateway\/(?:wechat|dingtalk)$|\/attachments\/:attachment_id$/.test(path)
      return isAsked && method !== 'HEAD' && !LEFT_OUT.test(`${method} ${path}`)
    })
    for (const role of ROLES) {
      await test.call('POST', '/api/v1/console/people', { name: `one.${role}`, role, password: PASSWORD })
      const payload = { name: `one.${role}`, password: PASSWORD }
      const { headers } = await test.app.inject({ method: 'POST', url: '/api/v1/console/session', payload })
      cookies.set(role, String(headers['set-cookie']).split(';')[0] ?? '')
    }
  })
  afterAll(() => test.close())

  async function ask(route: KnownRoute, cookie: string): Promise<number> {
    const method = route.method as 'GET'
    const payload = method === 'GET' || route.method === 'DELETE' ? {} : { payload: { no_such_field: 1 } }
    const { statusCode } = await test.app.inject({
      method,
      url: fillPath(route),
      headers: { ...ORIGIN, cookie },
      ...payload,
    })
    return statusCode
  }

  it.each(ROLES)(
    'lets the role %s do what its scopes say, and nothing else',
    async (role) => {
      const wrong: string[] = []
      for (const route of routes) {
        const needed = scopesOf(route.method, route.path) ?? ['admin']
        const may = ANYBODYS.includes(route.path) || needed.some((scope) => scopesOfRole(role).has(scope))
        // Those that may follow a stream would follow it for ever.
        if (may && isStream(test.app, route)) continue
        const status = await ask(route, cookies.get(role) ?? '')
        if ((status === 403) === may || status === 401) wrong.push(`${route.method} ${route.path}: ${status}`)
      }
      expect(wrong).toEqual([])
    },
    120_000,
  )

  it('asks for a credential, those of the open groups too once OPEN_GROUPS is false', async () => {
    const open = []
    for (const route of routes) if ((await ask(route, '')) !== 401) open.push(`${route.method} ${route.path}`)
    expect(open).toEqual([])
    expect(routes.filter((route) => !isKeyed(route)).length).toBeGreaterThan(10)
  })
})
