import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'

/** Values that show what a field is for, by its name; the same name means the same thing everywhere in the API. */
const BY_NAME: Record<string, unknown> = {
  message: 'How long do I have to return an item?',
  reply: 'You may return goods within 14 days.',
  session_id: 'sess_4f1c2a9be07d',
  user_id: 'customer-1042',
  agent_id: 'agent-7',
  message_id: 'msg_81d3f0c2',
  channel: 'web',
  status: 'ok',
  agent_status: 'assigned',
  intent: 'refund',
  source: 'returns.md',
  score: 0.92,
  turn_count: 2,
  failed_attempts: 0,
  emotion_score: 0.1,
  content: 'You may return goods within 14 days.',
  query: 'How long do I have to return an item?',
  question: 'How long do I have to return an item?',
  solution: 'Goods may be returned within 14 days of delivery.',
  note: 'Solved on the phone',
  top_k: 5,
  doc_id: 'doc_8f14e45fceea167a5a36',
  version: 'v2',
  current_version: 'v2',
  doc_hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  chunk_count: 12,
  collection_name: 'main',
  embedding_dim: 256,
  product_category: 'electronics',
  applicable_version: 'latest',
  knowledge_type: 'faq',
  sample_queries: ['How long do I have to return an item?'],
  dir_path: '/srv/help-centre',
  file_path: '/srv/help-centre/returns.md',
  metadata: { product_category: 'electronics' },
  report_id: 'eval_20260131T093000',
  solution_id: 'sol_5b1e77',
  trace_id: 'trace_9ac03e',
  description: 'A shorter greeting against the usual one',
  variants: ['usual', 'short'],
  variant: 'short',
  limit: 20,
  offset: 0,
  total: 1,
  app: 'Frontdesk',
  q: 'returns',
  file: 'returns.md',
  title: 'Returns and refunds',
  heading_path: ['Returns', 'How long you have'],
  category: 'returns',
  previous_version: 'v1',
  published_at: '2026-01-31',
  task: 'embeddings',
  excerpt: 'You may return goods within 14 days.',
  excerpt_a: 'You may return goods within 14 days.',
  excerpt_b: 'You may return goods within 30 days.',
  source_a: 'returns.md',
  source_b: 'returns-2025.md',
  other_source: 'returns-2025.md',
  term: 'refund',
  missing_term: 'restocking fee',
  word: 'guarantee',
  answer: 'You may return goods within 14 days.',
  suggestion: 'Add a document about restocking fees',
  issue: 'Questions about fees find nothing',
  warning: 'The reports were made with different test sets',
  task_id: 'task_1',
  agent: 'knowledge',
  role: 'user',
  rating: 'up',
  after: 'msg_81d3f0c2',
  reason: 'customer_request',
  confidence: 'high',
  name: 'greeting-length',
  unit: 'customer-1042',
  metric: 'csat',
  baseline: 'usual',
  alert_id: 'alert_3c1f',
  step_id: 'step_2',
  parent_id: 'step_1',
  input: 'How long do I have to return an item?',
  output: '14 days',
  currency: 'USD',
  unpriced_model: 'local-model',
  search_id: 'search_20260131T093000',
  timestamp: '2026-01-31T09:30:00.000Z',
  signature: '6f1ed002ab5595859014ebf0951522d9a8b3b4d2',
  msg_signature: '6f1ed002ab5595859014ebf0951522d9a8b3b4d2',
  nonce: '1372623149',
  echostr: '4375120948345356249',
  encrypt_type: 'aes',
  error: null,
  last_error: null,
}

interface AnySchema {
  type?: string
  description?: string
  const?: unknown
  enum?: unknown[]
  default?: unknown
  examples?: unknown[]
  anyOf?: AnySchema[]
  properties?: Record<string, AnySchema>
  items?: AnySchema
  minimum?: number
  format?: string
}

/** A value that the schema accepts, as telling as its examples, its default or its fields' names make it. */
export function exampleOf(schema: TSchema, name = ''): unknown {
  const candidates = [...stated(schema), BY_NAME[name]].filter((value) => value !== undefined)
  const fitting = candidates.find((value) => Value.Check(schema, value))
  return fitting === undefined ? byType(schema as AnySchema, name) : fitting
}

function stated({ examples = [], const: only, enum: values = [], default: usual, description }: AnySchema): unknown[] {
  // Descriptions of codes begin with the first of them: "`pending`, `assigned` or `resolved`".
  const code = /^`([^`]+)`/.exec(description ?? '')?.[1]
  return [...examples, only, usual === '' ? undefined : usual, values[0], code]
}

function byType(schema: AnySchema, name: string): unknown {
  if (schema.anyOf) return exampleOf(schema.anyOf.find(({ type }) => type !== 'null') as TSchema, name)
  switch (schema.type) {
    case 'object': {
      const fields = Object.entries(schema.properties ?? {})
      return Object.fromEntries(fields.map(([field, each]) => [field, exampleOf(each as TSchema, field)]))
    }
    case 'array':
      return schema.items ? [exampleOf(schema.items as TSchema, singular(name))] : []
    case 'integer':
    case 'number':
      return schema.minimum ?? 0
    case 'boolean':
      return false
    case 'null':
      return null
    default:
      return schema.format === 'date-time' ? '2026-01-31T09:30:00.000Z' : name.replaceAll('_', ' ') || 'text'
  }
}

function singular(name: string): string {
  return name.replace(/ies$/, 'y').replace(/s$/, '')
}
