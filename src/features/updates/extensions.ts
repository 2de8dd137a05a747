import { AppError } from '../../kernel/errors.ts'
import { supportedExtensions } from '../knowledge/index.ts'

/**
 * The extensions that a filter names, lower case with the dot; all that can be read when it names none. Case and a
 * missing dot make no difference. Throws bad_request when nothing of what it names can be read.
 */
export function extensionsOf(filter: readonly string[]): ReadonlySet<string> {
  const supported = new Set(supportedExtensions)
  const named = filter.map((each) => each.trim().toLowerCase()).filter((each) => each !== '')
  if (named.length === 0) return supported
  const wanted = new Set(named.map((each) => (each.startsWith('.') ? each : `.${each}`))).intersection(supported)
  if (wanted.size > 0) return wanted
  const message = `extensions: none of them can be read; supported are ${supportedExtensions.join(', ')}`
  throw new AppError('bad_request', 'extensions', message)
}
