import type { Role } from '../../src/kernel/people.ts'
import type { Answer, TestApp } from './test-app.ts'

/** Somebody at a browser who has logged in. */
export interface Browser {
  name: string
  cookie: string
  call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object): Promise<Answer>
}

const PASSWORD = 'correct horse battery'
const HOST = { host: 'desk.example', origin: 'http://desk.example' }

/** Adds a person and logs them in; `test` must have a key. */
export async function logInAs(test: TestApp, name: string, role: Role): Promise<Browser> {
  await test.call('POST', '/api/v1/console/people', { name, role, password: PASSWORD })
  return reopen(test, name)
}

/** Another browser of somebody who is there. */
async function reopen(test: TestApp, name: string): Promise<Browser> {
  const payload = { name, password: PASSWORD }
  const { headers } = await test.app.inject({ method: 'POST', url: '/api/v1/console/session', payload })
  const cookie = String(headers['set-cookie']).split(';')[0] ?? ''
  return {
    name,
    cookie,
    async call(method, url, body) {
      const given = body === undefined ? {} : { payload: body }
      const answer = await test.app.inject({ method, url, headers: { ...HOST, cookie }, ...given })
      return { status: answer.statusCode, headers: answer.headers, body: answer.body === '' ? null : answer.json() }
    },
  }
}
