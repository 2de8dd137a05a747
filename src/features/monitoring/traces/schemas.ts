import { Type } from 'typebox'
import { nullable, Timestamp } from '../../../http/schemas.ts'

const Tokens = Type.Object({
  input_tokens: Type.Integer(),
  output_tokens: Type.Integer(),
  total_tokens: Type.Integer(),
  estimated: Type.Boolean({ description: 'Some of it is our estimate, because a model reported no usage' }),
})

export const OverviewBody = Type.Object({
  total_traces: Type.Integer({ description: 'Turns whose trace is kept' }),
  success_rate: Type.Number({ description: '0 to 1: turns that did not fail; 0 while there are none' }),
  avg_duration_ms: Type.Number(),
  p95_duration_ms: Type.Number(),
  active_sessions: Type.Integer({ description: 'Sessions with activity in the last 30 minutes' }),
})

export const TracesQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  status: Type.Optional(Type.Enum(['ok', 'error', 'interrupted'])),
  session_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Turns of this session alone; needs the key' }),
  ),
})
export const TraceParams = Type.Object({ trace_id: Type.String({ minLength: 1, maxLength: 200 }) })

const summary = {
  trace_id: Type.String(),
  session_id: Type.String(),
  channel: Type.String(),
  status: Type.String({ description: '`ok`, `error` or `interrupted`', examples: ['ok'] }),
  intent: Type.String(),
  started_at: Timestamp,
  duration_ms: Type.Number(),
  tokens: Tokens,
  error: nullable(Type.String()),
  escalated: Type.Boolean({ description: 'A person was called in this turn' }),
  confidence: nullable(Type.String({ description: '`sure`, `close` or `none`; null where no answer was looked for' })),
  cached: Type.Boolean({ description: 'The reply came from the cache' }),
}

export const TracesBody = Type.Array(Type.Object(summary))

/** A step as it is stored and shown. */
export const StepBody = Type.Object({
  step_id: Type.String(),
  parent_id: nullable(Type.String()),
  agent: Type.String(),
  type: Type.String({ description: '`understanding`, `agent`, `model`, `tool`, `retrieval`, …' }),
  name: Type.String(),
  status: Type.String({ description: '`ok`, `error` or `aborted`', examples: ['ok'] }),
  started_at: Timestamp,
  duration_ms: Type.Number(),
  input: Type.String({ description: 'Shortened, personal data masked' }),
  output: Type.String({ description: 'Shortened, personal data masked' }),
  tokens: nullable(Tokens),
  error: nullable(Type.String()),
})

export const TraceBody = Type.Object({
  ...summary,
  steps: Type.Array(StepBody),
  sub_tasks: Type.Array(Type.Object({}, { additionalProperties: true })),
})

export const AgentsBody = Type.Array(
  Type.Object({
    agent: Type.String({ examples: ['knowledge'] }),
    description: Type.String(),
    status: Type.String({ description: '`idle`, `active` or `failing`', examples: ['active'] }),
    call_count: Type.Integer({ description: 'Since the first start, over all replicas' }),
    error_count: Type.Integer(),
    avg_duration_ms: Type.Number(),
    last_called_at: nullable(Timestamp),
  }),
)

export const SessionsBody = Type.Array(
  Type.Object({
    session_id: Type.String(),
    user_id: Type.String(),
    channel: Type.String(),
    turn_count: Type.Integer(),
    agent_status: Type.String({ description: '`pending`, `assigned`, `resolved`, or `none`: never handed over' }),
    last_active_at: Timestamp,
  }),
)
