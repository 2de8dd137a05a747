import { Type } from 'typebox'
import { choice, nullable, Timestamp } from '../../http/schemas.ts'

const breaker = {
  configured: Type.Boolean({ description: 'False: nobody has set up what it guards, so that nothing is called' }),
  state: choice(['CLOSED', 'OPEN', 'HALF_OPEN'], { examples: ['CLOSED'] }),
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

export const HealthBody = Type.Object({
  status: choice(['healthy', 'degraded', 'unhealthy'], { examples: ['healthy'] }),
  checks: Type.Array(
    Type.Object({
      name: Type.String({ examples: ['database'] }),
      status: choice(['healthy', 'degraded', 'unhealthy', 'not_configured'], { examples: ['healthy'] }),
      latency_ms: Type.Number(),
      critical: Type.Boolean({ description: 'Without it the service cannot do its work' }),
      message: Type.String(),
      words: Type.Object({ en: Type.String(), zh: Type.String() }, { description: 'The message in both languages' }),
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

export const MetricsBody = Type.Object({
  metrics: Type.Object({
    cache_hit_rate: Type.Number({ description: '0 to 1, over the window; 0 while nothing was looked up' }),
    concurrent_requests: Type.Integer({
      description: 'Under way on the replica that answers, without requests to the open groups and event streams',
    }),
    model_router_stats: Type.Record(Type.String(), Type.Integer(), {
      description: 'Calls by model tier over the window; `extractive`: replies composed without a model',
      examples: [{ extractive: 12, light: 4, standard: 9, strong: 1 }],
    }),
    avg_response_ms: Type.Number({
      description: 'Of the chat and gateway requests that were answered in the window; 0 while there were none',
    }),
    window_seconds: Type.Integer({ description: 'How far the metrics look back', examples: [3600] }),
  }),
})

export const CacheStatsBody = Type.Object({
  hits: Type.Integer({ description: 'Of all replicas since the first start, as misses and evictions are' }),
  misses: Type.Integer(),
  hit_rate: Type.Number({ description: '0 to 1; 0 while nothing was looked up' }),
  entries: Type.Integer({ description: 'Replies that the replica which answers holds' }),
  capacity: Type.Integer(),
  evictions: Type.Integer({ description: 'Entries that newer ones pushed out' }),
  ttl_seconds: Type.Integer({ description: '0: the cache is off' }),
})

export const InvalidateBody = Type.Object({
  success: Type.Boolean({ examples: [true] }),
  cleared: Type.Integer({ description: 'Replies dropped by the replica that answers; all others drop theirs too' }),
  message: Type.String({ examples: ['3 cached replies were dropped'] }),
})

export const DashboardQuery = Type.Object({ force_refresh: Type.Boolean({ default: false }) })
export const DashboardBody = Type.Object({
  total_sessions: Type.Integer(),
  escalation_rate: Type.Number({ description: '0 to 1: sessions that were handed to people' }),
  resolution_rate: Type.Number({
    description:
      '0 to 1: sessions that a person resolved, or that needed none, ended with a confident answer and were not rated down',
  }),
  avg_response_time_ms: Type.Number({ description: 'Of the turns whose trace is kept' }),
  hot_questions: Type.Array(Type.Object({ question: Type.String(), count: Type.Integer() }), {
    description: 'The ten most frequent of the recent ones, personal data masked',
  }),
  collected_at: Timestamp,
})

export const ChecklistBody = Type.Object({
  total: Type.Integer(),
  passed: Type.Integer(),
  failed: Type.Integer(),
  checks: Type.Array(
    Type.Object({
      name: Type.String({ examples: ['api_key'] }),
      status: choice(['passed', 'failed'], { examples: ['failed'] }),
      error: Type.Optional(Type.String({ examples: ['API_KEY is empty: no authentication'] })),
      words: Type.Optional(
        Type.Object({ en: Type.String(), zh: Type.String() }, { description: 'The error in both languages' }),
      ),
    }),
  ),
})

export const LivenessBody = Type.Object({
  status: choice(['ok']),
  app: Type.String(),
  version: Type.String(),
  timestamp: Timestamp,
})
