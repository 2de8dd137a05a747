import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { Settings } from 'typebox/system'
import { Value } from 'typebox/value'
import { AppError } from '../kernel/errors.ts'
import { convertParameters } from './parameters.ts'

/** The library stops at eight, and a union of twelve names alone has more. */
const MAX_ERRORS = 100

const notSet = (): never => {
  throw new Error('useTypeBoxValidation sets the compilers')
}
/** An option of the server, which otherwise loads the compilers that it comes with: some megabytes that nobody needs here. */
export const compilersSetLater = { compilersFactory: { buildValidator: notSet, buildSerializer: notSet } }

/**
 * Query and path parameters are text and converted; JSON bodies are taken as they are, so `{"question": 1}` is an
 * error. In bodies `null` for an optional field means that the field is absent.
 */
export function useTypeBoxValidation(app: FastifyInstance): void {
  Settings.Set({ maxErrors: MAX_ERRORS })
  app.setValidatorCompiler<TSchema>(({ schema, httpPart }) => {
    // For the first request of its route: there are hundreds of routes, and a start would compile them all.
    let compiled: Validator | undefined
    const prepare = httpPart === 'body' ? prepareBody : convertParameters
    return (input: unknown) => {
      compiled ??= Compile(schema)
      const validator = compiled
      const value = Value.Default(schema, prepare(schema, input))
      if (validator.Check(value)) return { value }
      return { error: explain(validator.Errors(value)) }
    }
  })
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
}

/** U+0000 reaches no database column. In bodies it is refused where they are parsed. */
export function refuseUnstorableText(app: FastifyInstance): void {
  app.addHook('onRequest', ({ params, query }, _reply, done) => {
    refuseZeros(query as object)
    refuseZeros(params as object)
    done()
  })
}

function refuseZeros(given: object): void {
  for (const [name, value] of Object.entries(given)) {
    if (`${name}${value}`.includes('\u0000')) {
      throw new AppError('invalid', 'validation', `${name.replaceAll('\u0000', '')}: must not contain U+0000`)
    }
  }
}

interface BodySchema {
  /** Accepts a request without a body. */
  optional?: boolean
  required?: string[]
  properties?: Record<string, BodySchema>
  items?: BodySchema
  anyOf?: BodySchema[]
  type?: string
}

function prepareBody(schema: TSchema, input: unknown): unknown {
  if (input === null || input === undefined) return (schema as BodySchema).optional ? {} : input
  dropNulls(schema, input)
  return input
}

/** Takes out what is null and optional, at any depth that the schema describes. */
function dropNulls(schema: BodySchema, input: unknown): void {
  if (typeof input !== 'object' || input === null) return
  const { anyOf, items } = schema
  if (anyOf) for (const variant of anyOf.filter(isContainer)) dropNulls(variant, input)
  else if (!Array.isArray(input)) dropNullFields(schema, input as Record<string, unknown>)
  else if (items) for (const item of input) dropNulls(items, item)
}

function dropNullFields({ properties = {}, required = [] }: BodySchema, input: Record<string, unknown>): void {
  for (const [name, field] of Object.entries(properties)) {
    if (!Object.hasOwn(input, name)) continue
    if (input[name] === null && !required.includes(name)) delete input[name]
    else dropNulls(field, input[name])
  }
}

function isContainer({ type }: BodySchema): boolean {
  return type === 'object' || type === 'array'
}

interface Violation {
  keyword: string
  instancePath: string
  message: string
  params: Record<string, unknown>
}

function explain(errors: readonly unknown[]): Error {
  const violations = mergeConstants((errors as Violation[]).flatMap(nameMissingFields)).map(nameAllowedValues)
  // An `anyOf` says only that nothing matched; the other violations say why.
  const useful = violations.filter(({ keyword }) => keyword !== 'anyOf')
  return Object.assign(new Error('validation'), { validation: useful.length > 0 ? useful : violations })
}

function nameMissingFields(violation: Violation): Violation[] {
  const missing = violation.params.requiredProperties
  if (violation.keyword !== 'required' || !Array.isArray(missing)) return [violation]
  return missing.map((field) => ({
    ...violation,
    instancePath: `${violation.instancePath}/${String(field)}`,
    message: 'is required',
  }))
}

/** A union of literals fails once for each of them; together they are an enumeration. */
function mergeConstants(violations: Violation[]): Violation[] {
  const byPath = Map.groupBy(
    violations.filter(({ keyword }) => keyword === 'const'),
    ({ instancePath }) => instancePath,
  )
  const merged = [...byPath.values()].map((group) => ({
    ...group[0]!,
    params: { allowedValues: group.map(({ params }) => params.allowedValue) },
  }))
  return [...violations.filter(({ keyword }) => keyword !== 'const'), ...merged]
}

function nameAllowedValues(violation: Violation): Violation {
  const allowed = violation.params.allowedValues
  return Array.isArray(allowed) ? { ...violation, message: `must be one of ${allowed.join(', ')}` } : violation
}
