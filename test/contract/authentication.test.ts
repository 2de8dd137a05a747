import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopesOf } from '../../src/http/scopes.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { fillPath, isKeyed, isOfWidget, isStream, type KnownRoute, routesOf } from './support/routes.ts'

const API_KEY = 'a secret of 24 characters'
const REFUSAL = { detail: 'Invalid or missing API key' }

/** Requests that would fail validation, media type or look-up if any of these came before the key. */
const BAD_REQUESTS: [name: string, headers: Record<string, string>, payload: string | undefined][] = [
  ['no body', {}, undefined],
  ['a wrong body', { 'content-type': 'application/json' }, '{"message": 1, "file": null}'],
  ['malformed JSON', { 'content-type': 'application/json' }, '{"message": '],
  ['a wrong media type', { 'content-type': 'application/xml' }, '<message/>'],
  ['a broken form', { 'content-type': 'multipart/form-data' }, '--'],
  ['a compressed body', { 'content-type': 'application/json', 'content-encoding': 'gzip' }, 'x'],
]

describe('with an API key', () => {
  let test: TestApp
  let routes: KnownRoute[]
  beforeAll(async () => {
    test = await createTestApp({ API_KEY })
    routes = routesOf(test.app).filter(({ group, path }) => group !== '' && !isOfWidget(path))
  })
  afterAll(() => test.close())

  async function answer(route: KnownRoute, headers: Record<string, string> = {}, payload?: string, query = '') {
    const response = await test.app.inject({
      method: route.method as 'GET',
      url: fillPath(route) + query,
      headers,
      ...(payload === undefined || route.method === 'GET' || route.method === 'HEAD' ? {} : { payload }),
    })
    return { status: response.statusCode, body: response.body }
  }

  it('finds the endpoints', () => {
    const paths = routes.map(({ method, path }) => `${method} ${path}`)
    expect(paths).toContain('POST /api/v1/knowledge/ingest')
    expect(paths).toContain('DELETE /api/v1/knowledge/documents/:doc_id')
    expect(paths).toContain('GET /api/v1/health')
  })

  it('has scopes in the table for every endpoint, by which named keys are limited', () => {
    expect(routes.filter(({ method, path }) => scopesOf(method, path) === null)).toEqual([])
  })

  it.each(BAD_REQUESTS)(
    'refuses every keyed endpoint without a key before it looks at %s',
    async (_, headers, payload) => {
      const wrong: string[] = []
      for (const route of routes.filter(isKeyed)) {
        const { status, body } = await answer(route, headers, payload, '?limit=nonsense')
        const expected = route.method === 'HEAD' ? '' : JSON.stringify(REFUSAL)
        if (status !== 401 || body !== expected) wrong.push(`${route.method} ${route.path}: ${status} ${body}`)
      }
      expect(wrong).toEqual([])
    },
  )

  it.each([
    ['an empty key', ''],
    ['a wrong key', 'a wrong one'],
    ['a longer key', `${API_KEY}x`],
    ['a shorter key', API_KEY.slice(0, -1)],
    ['another case', API_KEY.toUpperCase()],
  ])('refuses %s', async (_, key) => {
    for (const route of routes.filter((each) => isKeyed(each) && each.method !== 'HEAD')) {
      expect(await answer(route, { 'x-api-key': key })).toEqual({ status: 401, body: JSON.stringify(REFUSAL) })
    }
  })

  it('lets the right key through', async () => {
    const refused = []
    for (const route of routes.filter((each) => each.method === 'GET' && !isStream(test.app, each))) {
      const { status } = await answer(route, { 'x-api-key': API_KEY }, undefined, '?limit=nonsense')
      if (status === 401) refused.push(route.path)
    }
    expect(refused).toEqual([])
  })

  it('never asks for a key in the open groups, nor for the API pages', async () => {
    const asked = []
    for (const route of routesOf(test.app).filter(
      (each) => !isKeyed(each) && !isOfWidget(each.path) && !each.path.startsWith('/api/v1/gateway'),
    )) {
      const { status } = await answer(route, { 'x-api-key': 'wrong' })
      if (status === 401) asked.push(`${route.method} ${route.path}`)
    }
    expect(asked).toEqual([])
  })

  it('takes a key as bytes, beyond ASCII too', async () => {
    const other = await createTestApp({ API_KEY: '密钥-schlüssel' })
    const key = Buffer.from('密钥-schlüssel').toString('latin1')
    const response = await other.app.inject({ url: '/api/v1/knowledge/stats', headers: { 'x-api-key': key } })
    await other.close()
    expect(response.statusCode).toBe(200)
  })
})

describe('without an API key', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await createTestApp()
  })
  afterAll(() => test.close())

  it('asks nobody for one', async () => {
    const asked = []
    for (const route of routesOf(test.app).filter(
      (each) => isKeyed(each) && each.method !== 'HEAD' && !isStream(test.app, each),
    )) {
      const response = await test.app.inject({
        method: route.method as 'GET',
        url: `${fillPath(route)}?limit=nonsense`,
      })
      if (response.statusCode === 401) asked.push(`${route.method} ${route.path}`)
    }
    expect(asked).toEqual([])
  })
})
