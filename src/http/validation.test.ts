import { pino } from 'pino'
import { type TSchema, Type } from 'typebox'
import { afterEach, describe, expect, it } from 'vitest'
import { type App, createHttpServer } from './server.ts'

const apps: App[] = []
afterEach(() => Promise.all(apps.splice(0).map((app) => app.close())))

/** Body that the handler of a route with this schema gets, or what is answered in its place. */
async function received(body: TSchema, payload?: unknown) {
  const logger = pino({ level: 'silent' })
  const app = createHttpServer({
    logger,
    apiKey: '',
    trustProxy: false,
    headersTimeoutMs: 1_000,
    requestTimeoutMs: 1_000,
  })
  apps.push(app)
  app.post('/planted', { schema: { body } }, async (request) => ({ received: request.body }))
  const response = await app.inject({
    method: 'POST',
    url: '/planted',
    ...(payload === undefined
      ? {}
      : { payload: JSON.stringify(payload), headers: { 'content-type': 'application/json' } }),
  })
  return response.json()
}

const Line = Type.Object({ sku: Type.String(), count: Type.Optional(Type.Integer()) })
const Order = Type.Object({
  id: Type.String(),
  note: Type.Optional(Type.String({ default: 'none' })),
  lines: Type.Optional(Type.Array(Line)),
  customer: Type.Optional(Type.Object({ name: Type.Optional(Type.String()), vip: Type.Boolean() })),
  metadata: Type.Optional(Type.Object({}, { additionalProperties: true })),
})

describe('null in a body', () => {
  it('means absent wherever a field is optional, and a default takes its place', async () => {
    const body = { id: 'a', note: null, lines: [{ sku: 'x', count: null }], customer: { name: null, vip: true } }
    expect(await received(Order, body)).toEqual({
      received: { id: 'a', note: 'none', lines: [{ sku: 'x' }], customer: { vip: true } },
    })
  })

  it('stays where the schema does not look', async () => {
    const body = { id: 'a', metadata: { anything: null }, unknown: null }
    expect(await received(Order, body)).toMatchObject({ received: { metadata: { anything: null }, unknown: null } })
  })

  it('is refused where a field is required, at any depth', async () => {
    expect(await received(Order, { id: null })).toEqual({ detail: 'id: must be string' })
    expect(await received(Order, { id: 'a', lines: [{ sku: null }] })).toEqual({
      detail: 'lines.0.sku: must be string',
    })
    expect(await received(Order, { id: 'a', customer: { vip: null } })).toEqual({
      detail: 'customer.vip: must be boolean',
    })
  })

  it('means absent in each form that a field may take', async () => {
    const Message = Type.Object({
      message: Type.Union([
        Type.String(),
        Type.Object({ type: Type.Literal('text'), text: Type.Optional(Type.String()) }),
        Type.Object({ type: Type.Literal('image'), url: Type.Optional(Type.String()) }),
      ]),
    })
    expect(await received(Message, { message: { type: 'text', text: null } })).toEqual({
      received: { message: { type: 'text' } },
    })
    expect(await received(Message, { message: 'plain' })).toEqual({ received: { message: 'plain' } })
  })
})

describe('a body that may be missing', () => {
  const Optional = Type.Object({ note: Type.Optional(Type.String()) }, { optional: true })

  it.each([undefined, null, {}])('is taken as empty: %j', async (payload) => {
    expect(await received(Optional, payload)).toEqual({ received: {} })
  })

  it('is checked when it is there', async () => {
    expect(await received(Optional, { note: 5 })).toEqual({ detail: 'note: must be string' })
    expect(await received(Optional, [])).toEqual({ detail: 'body: must be object' })
  })
})

describe('what is wrong', () => {
  const names = Array.from({ length: 12 }, (_, index) => `name-${index}`)

  it('names every allowed value, however a set is written', async () => {
    const detail = `kind: must be one of ${names.join(', ')}`
    const union = Type.Object({ kind: Type.Union(names.map((name) => Type.Literal(name))) })
    expect(await received(union, { kind: 'x' })).toEqual({ detail })
    expect(await received(Type.Object({ kind: Type.Enum(names) }), { kind: 'x' })).toEqual({ detail })
  })

  it('names the first five fields at once, each once', async () => {
    const schema = Type.Object(
      Object.fromEntries(names.map((name) => [name, Type.String({ minLength: 1, pattern: '^a' })])),
    )
    const { detail } = await received(schema, Object.fromEntries(names.map((name) => [name, 1])))
    expect(detail.split('; ')).toEqual(names.slice(0, 5).map((name) => `${name}: must be string`))
  })

  it('names missing fields, nested ones by their path', async () => {
    const schema = Type.Object({ order: Type.Object({ id: Type.String(), total: Type.Number() }) })
    expect(await received(schema, {})).toEqual({ detail: 'order: is required' })
    expect(await received(schema, { order: {} })).toEqual({ detail: 'order.id: is required; order.total: is required' })
  })

  it('stays short when a field’s name does not', async () => {
    const schema = Type.Record(Type.String(), Type.Number())
    const { detail } = await received(schema, { [`${'x'.repeat(5_000)}/~`]: 'x' })
    expect(detail).toBe(`${'x'.repeat(100)}…: must be number`)
  })
})
