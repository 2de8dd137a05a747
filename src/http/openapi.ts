import swagger, { type SwaggerTransformObject } from '@fastify/swagger'
import type { FastifySchema, RouteOptions } from 'fastify'
import type { TSchema } from 'typebox'
import { asksForKey } from './auth.ts'
import { exampleOf } from './examples.ts'
import { operationIdOf } from './operation-ids.ts'
import { servePages } from './pages.ts'
import { errors } from './schemas.ts'
import type { App } from './server.ts'

export interface ApiDescription {
  title: string
  version: string
  /** Tag name → what the group is for, in the order in which the pages show them. */
  groups: Record<string, string>
}

/** The interactive API pages and what they show: every route that is registered after this call. */
export async function describeApi(app: App, { title, version, groups }: ApiDescription): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title, version, description: 'Customer-service back end. Errors are always `{"detail": string}`.' },
      tags: Object.entries(groups).map(([name, description]) => ({ name, description })),
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
          widgetToken: { type: 'http', scheme: 'bearer', description: 'Of a session of the widget' },
        },
      },
    },
    transform: ({ schema, url, route }) => ({ schema: schema?.hide ? schema : complete(schema ?? {}, route), url }),
    transformObject: (document) => ('openapiObject' in document ? markOptionalBodies(document.openapiObject) : {}),
  })
  await servePages(app, title)
}

type Document = Extract<Parameters<SwaggerTransformObject>[0], { openapiObject: unknown }>['openapiObject']

/** The generator takes every body for required. */
function markOptionalBodies(document: Document): Document {
  for (const operation of Object.values(document.paths ?? {}).flatMap((path) => Object.values(path ?? {}))) {
    const { requestBody } = operation as { requestBody?: { required: boolean; content: Record<string, Media> } }
    for (const { schema } of Object.values(requestBody?.content ?? {})) {
      if (requestBody && schema.optional) requestBody.required = false
      delete schema.optional
    }
  }
  return document
}

interface Media {
  schema: { optional?: boolean }
}

/** The parts of a route's schema, each of them a JSON schema. */
interface RouteSchema extends FastifySchema {
  body?: TSchema
  querystring?: TSchema
  params?: TSchema
  response?: Record<string, TSchema>
}

/** The conventions need not be repeated by each route: its key, its common errors, its examples. */
function complete(schema: FastifySchema, route: RouteOptions): FastifySchema {
  const { body, querystring, params, response = {}, ...rest } = schema as RouteSchema
  const isKeyed = asksForKey(route.config?.auth)
  const common = commonErrors({
    isKeyed,
    hasBody: body !== undefined,
    hasInput: Boolean(body ?? querystring ?? params),
  })
  return {
    operationId: operationIdOf(String([route.method].flat()[0]), route.url),
    ...rest,
    ...(isKeyed ? { security: (route.config?.scopes ?? []).map((scope) => ({ apiKey: [scope] })) } : {}),
    ...(body ? { body: withExample(callersView(body)) } : {}),
    ...(querystring ? { querystring: withPropertyExamples(callersView(querystring)) } : {}),
    ...(params ? { params: withPropertyExamples(params) } : {}),
    response: mapValues<TSchema, TSchema>({ ...common, ...response }, (each, status) =>
      describeResponse(withStreamExample(each, rest), Number(status)),
    ),
  }
}

function commonErrors(route: { isKeyed: boolean; hasBody: boolean; hasInput: boolean }): Record<number, TSchema> {
  return errors(
    ...(route.isKeyed ? [401, 403] : []),
    ...(route.hasBody ? [413, 415] : []),
    ...(route.hasInput ? [422] : []),
    ...(route.isKeyed ? [429, 503] : []),
  )
}

/** A field with a default is there for the handler and optional for the caller. */
function callersView(schema: TSchema): TSchema {
  const { required, properties } = schema as { required?: string[]; properties?: Record<string, TSchema> }
  if (!required || !properties) return schema
  return { ...schema, required: required.filter((name) => !('default' in (properties[name] ?? {}))) } as TSchema
}

function withExample(schema: TSchema): TSchema {
  return { ...schema, examples: [exampleOf(schema)] } as TSchema
}

function withPropertyExamples(schema: TSchema): TSchema {
  const { properties } = schema as { properties?: Record<string, TSchema> }
  if (!properties) return schema
  return {
    ...schema,
    properties: mapValues(properties, (each, name) => ({ ...each, examples: [exampleOf(each, name)] })),
  } as TSchema
}

const STREAM_EXAMPLE = 'event: token\ndata: {"content":"Within 14 days."}\n\n'

function withStreamExample(schema: TSchema, { produces = [] }: FastifySchema): TSchema {
  const isStream = produces.includes('text/event-stream') && (schema as { type?: string }).type === 'string'
  return isStream ? ({ examples: [STREAM_EXAMPLE], ...schema } as TSchema) : schema
}

const HEADERS = {
  'x-request-id': {
    type: 'string',
    description: "The request's own id, where it has a sane one; otherwise a new one.",
  },
}

/** Errors are JSON whatever else an endpoint produces, so they name their media type themselves. */
function describeResponse(schema: TSchema, status: number): TSchema {
  const { description } = schema as { description?: string }
  if ((schema as { type?: string }).type === 'null') return { ...schema, headers: HEADERS } as TSchema
  if (status < 400) return { description: 'Success', ...withExample(schema), headers: HEADERS } as TSchema
  const media = { schema, example: exampleOf(schema) }
  const content = { 'application/json': media }
  return { description: description ?? 'Error', content, headers: HEADERS } as unknown as TSchema
}

function mapValues<T, R>(record: Record<string, T>, change: (value: T, name: string) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]))
}
