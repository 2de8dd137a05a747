import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { isKeyed, type KnownRoute, routesOf } from './support/routes.ts'
import { SPECIFIED } from './support/specification.ts'

interface Media {
  schema?: TSchema
  example?: unknown
  examples?: Record<string, { value: unknown }>
}
interface Operation {
  summary?: string
  tags?: string[]
  security?: Record<string, string[]>[]
  parameters?: { name: string; in: string; required?: boolean; schema?: TSchema; example?: unknown }[]
  requestBody?: { required: boolean; content: Record<string, Media> }
  responses: Record<string, { description?: string; content?: Record<string, Media> }>
}

const ERROR_SCHEMA = { type: 'object', required: ['detail'], properties: { detail: { type: 'string' } } }

let test: TestApp
let described: { route: KnownRoute; name: string; operation: Operation }[]
let undescribed: string[]
beforeAll(async () => {
  test = await createTestApp({ API_KEY: 'key' })
  const { body } = await test.call('GET', '/openapi.json')
  const found = routesOf(test.app)
    .filter(({ group, method }) => group !== '' && method !== 'HEAD')
    .map((route) => {
      const path = route.path.replace(/:(\w+)/g, '{$1}')
      const operation: Operation | undefined = body.paths[path]?.[route.method.toLowerCase()]
      return { route, name: `${route.method} ${route.path}`, operation }
    })
  undescribed = found.filter(({ operation }) => !operation).map(({ name }) => name)
  described = found.flatMap(({ operation, ...rest }) => (operation ? [{ ...rest, operation }] : []))
})
afterAll(() => test.close())

/** Fields whose values are few, and that any text would fit. */
function unlisted(schema: unknown, path = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([name, each]: [string, TSchema & { type?: string; enum?: unknown }]) => {
    const isFew = /^(?:agent_status|status|state|role|priority|channel|mode|level|kind|verdict|rating|change)$/.test(
      name,
    )
    const isFree = isFew && each?.type === 'string' && !each.enum
    return [...(isFree ? [`${path}.${name}`] : []), ...unlisted(each, `${path}.${name}`)]
  })
}

/** Names of the operations for which `find` names a problem, with the problem. */
function problems(find: (operation: Operation, route: KnownRoute) => string | undefined | false): string[] {
  return described.flatMap(({ name, operation, route }) => {
    const problem = find(operation, route)
    return problem ? [`${name}: ${problem}`] : []
  })
}

describe('the API description', () => {
  it('is OpenAPI 3.1 with every endpoint in it', async () => {
    const { body } = await test.call('GET', '/openapi.json')
    expect(body).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Frontdesk', version: expect.stringMatching(/^\d/) },
    })
    expect(described.length).toBeGreaterThan(5)
    expect(undescribed).toEqual([])
  })

  it('holds every endpoint of the specification', () => {
    const names = new Set(described.map(({ name }) => name))
    expect(SPECIFIED.map(([method, path]) => `${method} ${path}`).filter((name) => !names.has(name))).toEqual([])
  })

  it('has a summary and a group for each', () => {
    expect(
      problems(({ summary = '' }) => (summary.length < 5 || summary.length > 100) && `summary "${summary}"`),
    ).toEqual([])
    expect(problems(({ tags = [] }) => tags.length !== 1 && `tags ${tags.join()}`)).toEqual([])
  })

  it('says where the key is checked, as the specification does', () => {
    const wrong = problems(({ security = [], responses }, route) => {
      const says = security.some((each) => 'apiKey' in each) && '401' in responses
      return says !== isKeyed(route) && `keyed: ${isKeyed(route)}, described: ${says}`
    })
    expect(wrong).toEqual([])
    const byName = new Map(described.map(({ name, route }) => [name, route]))
    for (const [method, path, auth] of SPECIFIED) {
      const route = byName.get(`${method} ${path}`)
      if (route) expect(isKeyed(route), `${method} ${path}`).toBe(auth === 'key')
    }
  })

  it('names the errors that follow from what an endpoint takes', () => {
    const wrong = problems(({ parameters = [], requestBody, responses }, route) => {
      const expected = [
        ...(isKeyed(route) ? ['401', '503'] : []),
        ...(requestBody ? ['413', '415', '422'] : []),
        ...(parameters.length > 0 ? ['422'] : []),
      ]
      const missing = expected.filter((status) => !(status in responses))
      return missing.length > 0 && `lacks ${missing.join(', ')}`
    })
    expect(wrong).toEqual([])
  })

  it('describes every error as {"detail": string} in JSON, with an example', () => {
    const wrong = problems(({ responses }) => {
      const bad = Object.entries(responses).filter(([status, { content, description }]) => {
        if (Number(status) < 400) return false
        const media = content?.['application/json']
        const isForm = media?.schema && Object.keys(content ?? {}).length === 1 && description
        return !isForm || !Value.Check(ERROR_SCHEMA as TSchema, media.example)
      })
      return bad.length > 0 && bad.map(([status]) => status).join(', ')
    })
    expect(wrong).toEqual([])
    const refusals = described.flatMap(
      ({ operation }) => operation.responses['401']?.content?.['application/json'] ?? [],
    )
    expect(new Set(refusals.map(({ example }) => JSON.stringify(example)))).toEqual(
      new Set(['{"detail":"Invalid or missing API key"}']),
    )
  })

  it('lists the values of every status, state, role and kind', () => {
    const wrong = problems(({ responses }) => {
      const free = Object.values(responses).flatMap(({ content }) => unlisted(content?.['application/json']?.schema))
      // Of imported tickets: whatever another help desk calls it.
      return free.length > 0 && !/tickets/.test(free.join()) && free.join(', ')
    })
    expect(wrong).toEqual([])
  })

  it('shows a success with a schema and an example that fits it', () => {
    const wrong = problems(({ responses }) => {
      const [status, success] = Object.entries(responses).find(([each]) => each.startsWith('2')) ?? []
      if (!success) return 'no success'
      if (status === '204') return false
      return Object.entries(success.content ?? { none: {} })
        .map(([type, media]) => checkExample(media, type))
        .find(Boolean)
    })
    expect(wrong).toEqual([])
  })

  it('shows what to send, with examples that the endpoint would accept', () => {
    const wrong = problems(({ requestBody, parameters = [] }) => {
      const ofBody = Object.entries(requestBody?.content ?? {}).map(([type, media]) => checkExample(media, type))
      const ofParameters = parameters.map((each) => checkExample(each, each.name))
      return [...ofBody, ...ofParameters].find(Boolean)
    })
    expect(wrong).toEqual([])
  })

  it('declares the parameters in a path and requires no parameter that has a default', () => {
    const wrong = problems(({ parameters = [] }, { path }) => {
      const named = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name)
      const declared = parameters.filter((each) => each.in === 'path').map(({ name }) => name)
      if (named.join() !== declared.join()) return `path parameters ${declared.join()}`
      const odd = parameters.find(({ required, schema }) => required && schema && 'default' in schema)
      return odd && `${odd.name} has a default and is required`
    })
    expect(wrong).toEqual([])
  })
})

function checkExample({ schema, example, examples }: Media, where: string): string | undefined {
  const shown = example ?? Object.values(examples ?? {})[0]?.value
  if (shown === undefined) return `no example of ${where}`
  if (!schema || Value.Check(schema, shown)) return undefined
  const [error] = Value.Errors(schema, shown)
  return `the example of ${where} does not fit: ${error?.instancePath} ${error?.message}`
}
