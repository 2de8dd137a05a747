import type { RecordedChange } from '../../kernel/changes.ts'
import { maskText } from '../../privacy/index.ts'
import type { AuditEntry } from './types.ts'

/** Secrets, of which the log says only that they were sent. */
const SECRETS = /password|secret|token|^(?:api_)?key$|^code$/i
/** Texts that people write, of which customers may be the subject: whoever may read them finds them where they stand. */
const TEXTS = /^(?:content|comment|note|message|query|question|solution|answer|text|draft|reason|body)$/
const MAX_TEXT = 300
const MAX_ITEMS = 50

/** A change as the audit log keeps it: without secrets, without texts, with personal values masked, and never large. */
export function entryOf(change: RecordedChange): Omit<AuditEntry, 'seq' | 'happenedAt'> {
  const { actor, isPerson, action, parameters, body, before, after, address, requestId } = change
  return {
    actor,
    isPerson,
    action,
    subject: change.subject ?? subjectOf(parameters),
    before: shown(before),
    after: shown(after ?? body),
    address,
    requestId,
  }
}

/** `session:sess_1`, `doc:faq.md`; empty: the route has no parameters. */
function subjectOf(parameters: Record<string, string>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name.replace(/_id$/, '')}:${value}`)
    .join(' ')
    .slice(0, MAX_TEXT)
}

function shown(value: unknown): Record<string, unknown> | null {
  if (value === undefined || value === null) return null
  return typeof value === 'object' && !Array.isArray(value)
    ? (reduced(value) as Record<string, unknown>)
    : { value: reduced(value) }
}

function reduced(value: unknown): unknown {
  if (typeof value === 'string') return maskText(value.slice(0, MAX_TEXT))
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map(reduced)
  if (value instanceof Date) return value.toISOString()
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).slice(0, MAX_ITEMS)
  return Object.fromEntries(entries.map(([name, each]) => [name, field(name, each)]))
}

function field(name: string, value: unknown): unknown {
  if (SECRETS.test(name)) return value === null || value === '' ? value : '***'
  if (TEXTS.test(name) && typeof value === 'string') return `${[...value].length} characters`
  return reduced(value)
}
