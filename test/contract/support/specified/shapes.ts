/**
 * What the specification says of a body, in its own words: `string`, `bool`, `int`, `number`, `object`, `list`, `any`,
 * several of them with `|`; a list with one element says what each element is; a name that ends in `?` may be absent.
 */
export type Shape = string | readonly [Shape] | { readonly [field: string]: Shape }

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)$/

const IS: Record<string, (value: unknown) => boolean> = {
  any: () => true,
  string: (value) => typeof value === 'string',
  text: (value) => typeof value === 'string' && value !== '',
  bool: (value) => typeof value === 'boolean',
  int: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  list: (value) => Array.isArray(value),
  null: (value) => value === null,
  timestamp: (value) => typeof value === 'string' && TIMESTAMP.test(value),
}

/** @returns where the value is not as specified; fields that the specification does not name are welcome */
export function departures(value: unknown, shape: Shape, at = 'body'): string[] {
  if (typeof shape === 'string') {
    const isAny = shape.split('|').some((type) => (IS[type] ? IS[type](value) : value === type))
    return isAny ? [] : [`${at} is ${JSON.stringify(value)?.slice(0, 80)}, not ${shape}`]
  }
  if (isListShape(shape)) {
    if (!Array.isArray(value)) return [`${at} is no list`]
    return value.flatMap((each, index) => departures(each, shape[0], `${at}[${index}]`))
  }
  if (!IS.object?.(value)) return [`${at} is no object`]
  const fields = value as Record<string, unknown>
  return Object.entries(shape).flatMap(([name, inner]) => {
    const field = name.replace(/\?$/, '')
    if (!Object.hasOwn(fields, field)) return name.endsWith('?') ? [] : [`${at}.${field} is missing`]
    return departures(fields[field], inner, `${at}.${field}`)
  })
}

function isListShape(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape)
}

const SOURCE = { source: 'string', score: 'number' }
const UPDATE_COUNTS = { scanned: 'int', added: 'int', updated: 'int', skipped: 'int', deleted: 'int', failed: 'int' }

export const ERROR: Shape = { detail: 'text' }

export const CHAT: Shape = {
  session_id: 'text',
  reply: 'text',
  status: 'ok',
  data: {
    intent: 'string',
    sources: [SOURCE],
    escalate_to_human: 'bool',
    escalation_card: 'object|null',
    turn_count: 'int',
    failed_attempts: 'int',
    emotion_score: 'number',
    sub_tasks: 'list',
  },
}

export const META: Shape = { intent: 'string', sources: 'list', 'escalate?': 'bool' }
export const TOKEN: Shape = { content: 'string' }
export const DONE: Shape = { turn_count: 'int', escalate: 'bool', answer: 'text' }

export const SESSION: Shape = {
  session_id: 'text',
  user_id: 'string|null',
  channel: 'string',
  agent_status: 'pending|assigned|resolved',
  priority: 'text',
  turn_count: 'int',
  created_at: 'timestamp',
}
export const SESSION_DETAIL: Shape = { ...SESSION, escalation_card: 'object|null', history: 'list' }
export const AGENT_MESSAGE: Shape = { message_id: 'text', timestamp: 'timestamp', role: 'string' }
export const RECOMMENDED: Shape = { chunks: [{ content: 'string', ...SOURCE }], total: 'int' }
export const ASSISTED: Shape = {
  result: {
    reply: 'string',
    data: 'object',
    error: 'string|null',
    need_confirmation: 'bool',
    scene: 'string',
  },
  masked_fields: ['string'],
}
export const SOLUTION: Shape = {
  solution_id: 'text',
  session_id: 'string',
  question: 'string',
  solution: 'string',
  intent: 'string',
  status: 'string',
  created_at: 'timestamp',
}

export const INGESTED: Shape = {
  doc_id: 'text',
  source: 'text',
  chunk_count: 'int',
  status: 'success',
  errors: 'list',
}
export const STATS: Shape = {
  total_chunks: 'int',
  total_documents: 'int',
  collection_name: 'string',
  embedding_dim: 'int',
}
export const DOCUMENT: Shape = {
  doc_id: 'text',
  source: 'string',
  current_version: 'string',
  status: 'active',
  created_at: 'timestamp',
  updated_at: 'timestamp',
  versions: [
    { version: 'text', doc_hash: 'text', status: 'active|superseded', chunk_count: 'int', created_at: 'timestamp' },
  ],
}
export const DELETED: Shape = { doc_id: 'text', deleted_chunks: 'int', success: 'bool' }

export const UPDATED: Shape = { mode: 'text', ...UPDATE_COUNTS, duration_seconds: 'number', errors: 'list' }
export const UPDATE_STATUS: Shape = {
  last_update: { mode: 'text', scanned: 'int', added: 'int', duration_seconds: 'number' },
  message: 'string',
}

export const MINED: Shape = {
  'started_at?': 'timestamp|null',
  total_tickets: 'int',
  ingested: 'int',
  items: [{ question: 'string', frequency: 'int', representative_solution: 'string' }],
  errors: 'list',
}
export const EVALUATED: Shape = {
  report_id: 'text',
  total_queries: 'int',
  'recall@5': 'number',
  hit_rate: 'number',
}

export const METRICS: Shape = {
  metrics: {
    cache_hit_rate: 'number',
    concurrent_requests: 'int',
    model_router_stats: 'object',
    avg_response_ms: 'number',
  },
}
export const CLEARED: Shape = { success: 'bool', cleared: 'int', message: 'string' }
export const RESULTS: Shape = { name: 'text', variants: 'object' }
export const VARIANT: Shape = { samples: 'int', metrics: 'object' }
export const DASHBOARD: Shape = {
  total_sessions: 'int',
  escalation_rate: 'number',
  resolution_rate: 'number',
  avg_response_time_ms: 'number',
  hot_questions: [{ question: 'string', count: 'int' }],
  collected_at: 'timestamp',
}
export const CHECKLIST: Shape = {
  total: 'int',
  passed: 'int',
  failed: 'int',
  checks: [{ name: 'text', status: 'passed|failed', 'error?': 'text' }],
}
export const HEALTH: Shape = { status: 'string', app: 'string', version: 'text', timestamp: 'timestamp' }
