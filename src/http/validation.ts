import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Value } from 'typebox/value'

/**
 * Query and path parameters are text and converted; JSON bodies are taken as they are, so `{"question": 1}` is an
 * error. In bodies `null` for an optional field means that the field is absent.
 */
export function useTypeBoxValidation(app: FastifyInstance): void {
  app.setValidatorCompiler<TSchema>(({ schema, httpPart }) => {
    const validator = Compile(schema)
    return (input: unknown) => {
      const value = Value.Default(schema, httpPart === 'body' ? withoutNulls(input, schema) : convert(schema, input))
      if (validator.Check(value)) return { value }
      return { error: explain(validator.Errors(value)) }
    }
  })
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
}

function convert(schema: TSchema, input: unknown): unknown {
  return Value.Convert(schema, { ...(input as Record<string, unknown>) })
}

function withoutNulls(input: unknown, schema: TSchema): unknown {
  if (input === null || input === undefined) return isOptionalBody(schema) ? {} : input
  if (typeof input !== 'object' || Array.isArray(input)) return input
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
}

/** A body schema marked `optional: true` accepts a request without a body. */
function isOptionalBody(schema: TSchema): boolean {
  return (schema as { optional?: boolean }).optional === true
}

interface Violation {
  keyword: string
  instancePath: string
  message: string
  params: Record<string, unknown>
}

function explain(errors: readonly unknown[]): Error {
  const violations = (errors as Violation[]).flatMap(nameMissingFields)
  // An `anyOf` says only that nothing matched; the other violations say why.
  const useful = violations.filter(({ keyword }) => keyword !== 'anyOf')
  return Object.assign(new Error('validation'), { validation: useful.length > 0 ? useful : violations })
}

function nameMissingFields(violation: Violation): Violation[] {
  const missing = violation.params['requiredProperties']
  if (violation.keyword !== 'required' || !Array.isArray(missing)) return [violation]
  return missing.map((field) => ({
    ...violation,
    instancePath: `${violation.instancePath}/${String(field)}`,
    message: 'is required',
  }))
}
