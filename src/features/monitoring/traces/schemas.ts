import { Type } from 'typebox'
import { periodFields } from '../../../http/period.ts'
import { choice, nullable, Timestamp } from '../../../http/schemas.ts'
import { SPAN_TYPES } from '../../../kernel/tracing.ts'
import { INTENTS } from '../../../language/understanding.ts'
import { CHANNELS } from '../../sessions/index.ts'

const TurnStatus = Type.Enum(['ok', 'error', 'interrupted'])

function filterBy(description: string, options: { examples?: string[] } = {}) {
  return Type.Optional(Type.String({ minLength: 1, maxLength: 200, description, ...options }))
}

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
  before: filterBy('Older ones than this trace, with which the page before ended', { examples: ['trace_9ac03e'] }),
  status: Type.Optional(TurnStatus),
  agent: filterBy('Turns in which this agent took part', { examples: ['knowledge'] }),
  intent: Type.Optional(Type.Enum([...INTENTS])),
  confidence: Type.Optional(
    Type.Enum(['sure', 'close', 'none', 'unsure'], { description: '`unsure`: `close` or `none`' }),
  ),
  cached: Type.Optional(Type.Boolean({ description: 'Whether the reply came from the cache', examples: [true] })),
  escalated: Type.Optional(Type.Boolean({ description: 'Whether a person was called', examples: [true] })),
  ...periodFields,
  min_duration_ms: Type.Optional(Type.Number({ minimum: 0, maximum: 86_400_000, examples: [2_000] })),
  session_id: filterBy('Turns of this session alone; needs the key'),
  message_id: filterBy('The turn that stored this reply, or that answered this question; needs the key'),
  q: filterBy('Words of the question, as it is shown here: the beginning, masked; needs the key'),
})
export const TraceParams = Type.Object({ trace_id: Type.String({ minLength: 1, maxLength: 200 }) })

const summary = {
  trace_id: Type.String(),
  session_id: Type.String(),
  message_id: nullable(
    Type.String({
      description: 'The reply that the turn stored; null: none was, or the turn is of an earlier release',
    }),
  ),
  question: Type.String({ description: 'The beginning of what the customer wrote, masked' }),
  channel: choice(CHANNELS),
  status: TurnStatus,
  intent: choice(INTENTS),
  started_at: Timestamp,
  duration_ms: Type.Number(),
  tokens: Tokens,
  error: nullable(Type.String()),
  escalated: Type.Boolean({ description: 'A person was called in this turn' }),
  confidence: nullable(Type.Enum(['sure', 'close', 'none'], { description: 'Null where no answer was looked for' })),
  cached: Type.Boolean({ description: 'The reply came from the cache' }),
}

export const TracesBody = Type.Array(Type.Object(summary))

/** A step as it is stored and shown. */
export const StepBody = Type.Object({
  step_id: Type.String(),
  parent_id: nullable(Type.String()),
  agent: Type.String(),
  type: Type.Enum([...SPAN_TYPES]),
  name: Type.String(),
  status: Type.Enum(['ok', 'error', 'aborted']),
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
    status: Type.Enum(['idle', 'active', 'failing']),
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
    channel: choice(CHANNELS),
    turn_count: Type.Integer(),
    agent_status: Type.Enum(['none', 'pending', 'assigned', 'resolved'], { description: '`none`: never handed over' }),
    last_active_at: Timestamp,
  }),
)
