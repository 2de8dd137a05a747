import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operationIdOf } from '../../src/http/operation-ids.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

let test: TestApp
let ids: { route: string; id: string }[]
beforeAll(async () => {
  test = await createTestApp()
  const { body } = await test.call('GET', '/openapi.json')
  const paths = Object.entries(body.paths as Record<string, Record<string, { operationId: string }>>)
  ids = paths.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({
      route: `${method.toUpperCase()} ${path}`,
      id: operationId,
    })),
  )
})
afterAll(() => test.close())

describe('names of operations', () => {
  it('are there for each, unique and in camel case', () => {
    expect(ids.filter(({ id }) => !/^[a-z]+(?:[A-Z][a-z0-9]*)+$/.test(id))).toEqual([])
    const others = ids.filter(({ id }, at) => ids.findIndex((each) => each.id === id) !== at)
    expect(others).toEqual([])
  })

  // A function of every client is called by it. Add new ones with `vitest run test/contract/operation-ids.test.ts -u`.
  it('stay as they were', async () => {
    const lines = ids.map(({ id, route }) => `${id} ${route}\n`).sort()
    await expect(lines.join('')).toMatchFileSnapshot('operation-ids.txt')
  })
})

it.each([
  ['GET', '/api/v1/things', 'listThings'],
  ['POST', '/api/v1/things', 'addThing'],
  ['GET', '/api/v1/things/:id', 'getThing'],
  ['PUT', '/api/v1/things/{id}', 'setThing'],
  ['DELETE', '/api/v1/things/:id', 'deleteThing'],
  ['POST', '/api/v1/things/:id/accept', 'acceptThing'],
  ['POST', '/api/v1/things/:id/rotate-secret', 'rotateThingSecret'],
  ['GET', '/api/v1/things/:id/events', 'followThingEvents'],
  ['POST', '/api/v1/things/runs', 'startThingsRun'],
  ['DELETE', '/api/v1/things/runs/:id', 'cancelThingsRun'],
  ['GET', '/api/v1/things/release-checklist', 'getThingsReleaseChecklist'],
  ['POST', '/api/v1/chat', 'askQuestion'],
])('%s %s is %s', (method, url, id) => expect(operationIdOf(method, url)).toBe(id))
