import type { FastifyInstance } from 'fastify'
import { AppError } from '../kernel/errors.ts'
import { withoutInvisible } from '../kernel/invisible.ts'

/** Far beyond what any request of ours needs; what follows (validation, JSON columns) may recurse. */
const MAX_DEPTH = 64

/** JSON is the only body format unless a route adds another; an empty body is for the route's schema to judge. */
export function parseJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const text = decode(body)
    if (text === undefined) done(invalid('The request body is not valid UTF-8'))
    else if (text.trim() === '') done(null, undefined)
    else parse(request, text, (error, value) => (error ? done(error) : tidyInto(value, done)))
  })
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

/** Without a byte order mark; undefined when the bytes are no UTF-8, e.g. JSON in GB18030. */
function decode(body: Buffer): string | undefined {
  try {
    return strictUtf8.decode(body)
  } catch {
    return undefined
  }
}

function tidyInto(value: unknown, done: (error: Error | null, body?: unknown) => void): void {
  let tidied: unknown
  try {
    tidied = tidy(value, '', 0)
  } catch (error) {
    done(error as AppError)
    return
  }
  done(null, tidied)
}

/** Fields that hold names of things: another name is another thing, so that nothing may be left out of one. */
const NAMING = /(?:^|[._])(?:ids?|keys?|names?|paths?|sources?|units?|variants?)(?:\.\d+)*$/

/**
 * Refuses what could not be stored: U+0000, and nesting that would exhaust the stack. Half a surrogate pair, left by
 * clients that cut a text within an emoji, becomes U+FFFD; of texts, what nobody sees is left out. Objects and arrays are changed in place.
 */
function tidy(value: unknown, path: string, depth: number): unknown {
  if (typeof value === 'string')
    return NAMING.test(path) ? storable(value, path) : withoutInvisible(storable(value, path))
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) throw invalid(`The request body is nested deeper than ${MAX_DEPTH} levels`)
  const container = value as Record<string, unknown>
  for (const [name, item] of Object.entries(container)) {
    const key = storable(name, path)
    const tidied = tidy(item, `${path}.${key}`, depth + 1)
    if (key !== name) delete container[name]
    if (key !== name || tidied !== item) container[key] = tidied
  }
  return container
}

function storable(text: string, path: string): string {
  if (text.includes('\u0000')) throw invalid(`${path.slice(1, 101) || 'body'}: must not contain the character U+0000`)
  return text.toWellFormed()
}

function invalid(message: string): AppError {
  return new AppError('invalid', 'json', message)
}
