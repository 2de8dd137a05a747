import { sql } from 'kysely'
import type { ModelCall } from '../../../ai/model/port.ts'
import { type Executor, toJson } from '../../../platform/postgres/index.ts'

/** The use of one model by one agent in a window. */
export interface UsageRow {
  model: string
  agent: string
  calls: number
  inputTokens: number
  outputTokens: number
  estimated: boolean
}

/** One call on its way into the database. */
export type ModelCallRow = Omit<ModelCall, 'usage'> & ModelCall['usage'] & { callId: string; endedAt: string }

export async function insertModelCalls(executor: Executor, calls: readonly ModelCallRow[]): Promise<void> {
  await sql`insert into model_calls (call_id, ended_at, agent, tier, model, input_tokens, output_tokens, estimated,
      attempts, first_token_ms, duration_ms, outcome)
    select "callId", "endedAt", agent, tier, model, "inputTokens", "outputTokens", estimated, attempts,
      "firstTokenMs", "durationMs", outcome
    from jsonb_to_recordset(${toJson(calls)}::jsonb) as r("callId" text, "endedAt" timestamptz, agent text, tier text,
      model text, "inputTokens" integer, "outputTokens" integer, estimated boolean, attempts integer,
      "firstTokenMs" double precision, "durationMs" double precision, outcome text)
    on conflict (call_id) do nothing`.execute(executor)
}

/** Calls that reached the models after `after`; calls that a breaker refused cost nothing and are no calls. */
export async function readUsage(executor: Executor, after: Date): Promise<UsageRow[]> {
  const { rows } = await sql<UsageRow>`select model, agent, count(*) as calls,
      sum(input_tokens)::bigint as "inputTokens", sum(output_tokens)::bigint as "outputTokens",
      bool_or(estimated) as estimated
    from model_calls where ended_at > ${after} and attempts > 0
    group by model, agent order by model, agent`.execute(executor)
  return rows
}
