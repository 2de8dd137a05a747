import { Type } from 'typebox'
import { Timestamp } from '../../http/schemas.ts'
import { LEVELS } from './types.ts'

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()])

const breaker = {
  state: Type.String({ description: '`CLOSED`, `OPEN` or `HALF_OPEN`', examples: ['CLOSED'] }),
  failure_count: Type.Integer({ description: 'Failures in a row' }),
  success_count: Type.Integer({ description: 'Since the start of the process' }),
  rejected_count: Type.Integer({ description: 'Calls refused while open, since the start of the process' }),
  failure_threshold: Type.Integer({ description: 'Failures in a row that open it' }),
  recovery_timeout_seconds: Type.Number({ description: 'How long it stays open before one call is tried' }),
  last_failure_time: nullable(Timestamp),
  last_error: nullable(Type.String()),
  opened_at: nullable(Timestamp),
  next_attempt_at: nullable(Timestamp),
}

export const BreakersBody = Type.Record(Type.String(), Type.Object(breaker), {
  description: 'By name, of the replica that answers',
})
export const BreakerParams = Type.Object({ name: Type.String({ minLength: 1, maxLength: 100, examples: ['llm'] }) })
export const BreakerBody = Type.Object({ name: Type.String({ examples: ['llm'] }), ...breaker })

export const AlertsQuery = Type.Object({
  level: Type.Optional(Type.Enum([...LEVELS])),
  source: Type.Optional(Type.String({ maxLength: 200, examples: ['circuit_breaker'] })),
  since: Type.Optional(
    Type.String({ maxLength: 40, description: 'ISO 8601; alerts last seen at or after it', examples: ['2026-01-31'] }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 200 }),
})

export const AlertsBody = Type.Array(
  Type.Object({
    alert_id: Type.String(),
    level: Type.String({ description: '`info`, `warn`, `error` or `critical`', examples: ['error'] }),
    source: Type.String({ examples: ['circuit_breaker'] }),
    message: Type.String({ examples: ['llm fails and is left alone for a while'] }),
    details: Type.Object({}, { additionalProperties: true }),
    fingerprint: Type.String({ description: 'The same trouble has the same one', examples: ['breaker:llm'] }),
    count: Type.Integer({ description: 'How often it was found' }),
    created_at: Timestamp,
    last_seen_at: Timestamp,
    resolved_at: nullable(Timestamp),
  }),
)

export const HealthBody = Type.Object({
  status: Type.String({ description: '`healthy`, `degraded` or `unhealthy`', examples: ['healthy'] }),
  checks: Type.Array(
    Type.Object({
      name: Type.String({ examples: ['database'] }),
      status: Type.String({
        description: '`healthy`, `degraded`, `unhealthy` or `not_configured`',
        examples: ['healthy'],
      }),
      latency_ms: Type.Number(),
      critical: Type.Boolean({ description: 'Without it the service cannot do its work' }),
      message: Type.String(),
    }),
  ),
  checked_at: Timestamp,
})

export const UsageQuery = Type.Object({ window: Type.Enum(['minute', 'hour', 'day'], { default: 'hour' }) })

const Usage = Type.Object({
  input_tokens: Type.Integer(),
  output_tokens: Type.Integer(),
  total_tokens: Type.Integer(),
  calls: Type.Integer({ description: 'Calls that reached a model' }),
  cost: nullable(Type.Number({ description: 'By the price file; null: no price is known' })),
})

export const UsageBody = Type.Object({
  window: Type.String({ examples: ['hour'] }),
  from: Timestamp,
  to: Timestamp,
  total: Usage,
  by_model: Type.Record(Type.String(), Usage),
  by_agent: Type.Record(Type.String(), Usage),
  estimated: Type.Boolean({ description: 'Some of it is our estimate, because a model reported no usage' }),
  currency: nullable(Type.String()),
  unpriced_models: Type.Array(Type.String(), { description: 'Models that the costs leave out' }),
})
