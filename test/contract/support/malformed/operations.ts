/** What of a JSON schema the generator understands. */
export interface Schema {
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  required?: string[]
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  items?: Schema
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
}

/** One endpoint as `/openapi.json` describes it. */
export interface Operation {
  method: string
  path: string
  pathParameters: Parameter[]
  query: Parameter[]
  /** Undefined: takes no JSON. */
  body: { schema: Schema; example: unknown; required: boolean } | undefined
  takesForm: boolean
  streams: boolean
  isKeyed: boolean
}

/** Whether asking without any content makes it work: some jobs take minutes, and they are not what is tested here. */
export function worksUnasked({ method, body, takesForm }: Operation): boolean {
  return method === 'POST' && !takesForm && !body?.required
}

interface Parameter {
  name: string
  schema: Schema
  example?: unknown
}

interface Described {
  parameters?: (Parameter & { in: string })[]
  requestBody?: { required: boolean; content: Record<string, { schema: Schema; example?: unknown }> }
  responses: Record<string, { content?: Record<string, unknown> }>
  security?: Record<string, unknown>[]
}

/** Every operation of an OpenAPI document. */
export function operationsOf(document: { paths: Record<string, Record<string, Described>> }): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody, responses, security = [] }]) => {
      const json = requestBody?.content['application/json']
      return {
        method: method.toUpperCase(),
        path,
        pathParameters: parameters.filter((each) => each.in === 'path'),
        query: parameters.filter((each) => each.in === 'query'),
        body: json && { schema: json.schema, example: json.example, required: requestBody.required },
        takesForm: 'multipart/form-data' in (requestBody?.content ?? {}),
        streams: 'text/event-stream' in (responses['200']?.content ?? {}),
        isKeyed: security.some((each) => 'apiKey' in each),
      }
    }),
  )
}
