import { SignJWT } from 'jose'
import type { App } from '../../src/http/server.ts'
import type { StreamEvent } from './event-stream.ts'
import type { Answer, TestApp } from './test-app.ts'

export const SHOP = 'https://shop.example'

export interface MadeWidget {
  widget_id: string
  key: string
  identity_secret: string
}

export async function makeWidget(test: TestApp, given: object = {}): Promise<MadeWidget> {
  const body = { name: 'Shop', allowed_origins: [SHOP], ...given }
  return (await test.call('POST', '/api/v1/settings/widgets', body)).body
}

/** The word of the shop's server about a customer. @param claims `exp` in seconds since 1970, or as `5m` */
export function signIdentity(
  secret: string,
  { exp = '5m', alg = 'HS256', ...claims }: Record<string, unknown> = {},
): Promise<string> {
  const jwt = new SignJWT(claims).setProtectedHeader({ alg: String(alg) })
  if (exp !== null) jwt.setExpirationTime(exp as string | number)
  return jwt.sign(new TextEncoder().encode(secret))
}

/** A page of the shop with the widget open. */
export interface Page {
  begun: Answer
  token: string
  call(method: 'GET' | 'POST', path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Events of the reply to a message. */
  say(message: string, headers?: Record<string, string>): Promise<StreamEvent[]>
}

/** As a browser sends it: with its origin and without a key. */
export async function ask(
  app: App,
  method: 'GET' | 'POST' | 'OPTIONS' | 'DELETE' | 'PUT',
  path: string,
  {
    body,
    headers = {},
    origin = SHOP,
  }: { body?: unknown; headers?: Record<string, string>; origin?: string | null } = {},
): Promise<Answer> {
  const payload = body === undefined ? {} : { payload: body as object }
  const from = origin === null ? {} : { origin }
  const url = path.startsWith('/') ? path : `/api/v1/widget/${path}`
  const response = await app.inject({ method, url, headers: { ...from, ...headers }, ...payload })
  const isJson = String(response.headers['content-type']).startsWith('application/json')
  return { status: response.statusCode, headers: response.headers, body: isJson ? response.json() : response.body }
}

export async function openPage(
  { app }: Pick<TestApp, 'app'>,
  opening: { key: string; identity?: string; token?: string },
  origin = SHOP,
): Promise<Page> {
  const begun = await ask(app, 'POST', 'sessions', { body: opening, origin })
  const authorization = `Bearer ${begun.body.token}`
  const call: Page['call'] = (method, path, body, headers = {}) =>
    ask(app, method, path, { body, headers: { authorization, ...headers }, origin })
  return {
    begun,
    token: begun.body.token,
    call,
    async say(message, headers) {
      const { status, body } = await call('POST', 'messages', { message }, headers)
      if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
      return readEvents(body)
    },
  }
}

function readEvents(text: string): StreamEvent[] {
  return text.split('\n\n').flatMap((block) => {
    const [, event] = /^event: (.*)$/m.exec(block) ?? []
    const [, data] = /^data: (.*)$/m.exec(block) ?? []
    return event === undefined || data === undefined ? [] : [{ event, id: '', data: JSON.parse(data) }]
  })
}

/** Paths of the widget that need a token. */
export const TOKEN_PATHS = [
  ['GET', 'messages'],
  ['GET', 'state'],
  ['GET', 'events'],
  ['POST', 'messages'],
  ['POST', 'handoff'],
  ['POST', 'handoff/cancel'],
  ['POST', 'offline'],
  ['POST', 'feedback'],
  ['POST', 'rating'],
  ['POST', 'typing'],
  ['POST', 'attachments'],
] as const
