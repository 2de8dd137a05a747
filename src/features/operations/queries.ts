import { sql } from 'kysely'
import { type Database, type Executor, notify, toJson } from '../../platform/postgres/index.ts'
import type { AskedQuestion, Experiment, ListedExperiment, MetricBatch, MetricRow, SessionCounts } from './types.ts'

/** Says that an experiment was made or replaced. */
export const EXPERIMENTS_CHANNEL = 'experiments'

const experimentColumns = sql`name, experiment_id as "experimentId", description, variants,
  traffic_split as "trafficSplit", variant_params as "variantParams", created_at as "createdAt"`

/** Puts an experiment in the place of one with the same name, whose metrics go. */
export async function replaceExperiment(db: Database, experiment: Experiment): Promise<void> {
  await db.transaction(async (trx) => {
    await sql`delete from experiments where name = ${experiment.name}`.execute(trx)
    await sql`insert into experiments (name, experiment_id, description, variants, traffic_split, variant_params,
        created_at)
      values (${experiment.name}, ${experiment.experimentId}, ${experiment.description},
        ${toJson(experiment.variants)}::jsonb, ${toJson(experiment.trafficSplit)}::jsonb,
        ${toJson(experiment.variantParams)}::jsonb, ${experiment.createdAt})`.execute(trx)
    await notify(db, trx, EXPERIMENTS_CHANNEL, '')
  })
}

/** In the order of their creation. */
export async function listExperiments(executor: Executor): Promise<ListedExperiment[]> {
  const { rows } = await sql<ListedExperiment>`select ${experimentColumns},
      coalesce((select sum(m.count) from experiment_metrics m
        where m.experiment_id = experiments.experiment_id), 0)::bigint as samples
    from experiments order by created_at, name`.execute(executor)
  return rows
}

export async function findExperiment(executor: Executor, name: string): Promise<Experiment | undefined> {
  const { rows } = await sql<Experiment>`select ${experimentColumns} from experiments
    where name = ${name}`.execute(executor)
  return rows[0]
}

export async function readMetrics(executor: Executor, experimentId: string): Promise<MetricRow[]> {
  const { rows } = await sql<MetricRow>`select variant, metric, count, mean, squares from experiment_metrics
    where experiment_id = ${experimentId} order by metric, variant`.execute(executor)
  return rows
}

/**
 * Adds values to what is known of their metrics; those of an experiment that was replaced meanwhile are left out.
 * Merging means and squared deviations: T. Chan, G. Golub, R. LeVeque, "Updating Formulae and a Pairwise Algorithm for
 * Computing Sample Variances" (1979).
 */
export async function mergeMetrics(executor: Executor, batches: readonly MetricBatch[]): Promise<void> {
  await sql`insert into experiment_metrics as m (experiment_id, variant, metric, count, mean, squares)
    select "experimentId", variant, metric, count, mean, squares
    from jsonb_to_recordset(${toJson(batches)}::jsonb) as r("experimentId" text, variant text, metric text,
      count bigint, mean double precision, squares double precision)
    where exists (select 1 from experiments e where e.experiment_id = r."experimentId" for share)
    order by "experimentId", variant, metric
    on conflict (experiment_id, variant, metric) do update set
      count = m.count + excluded.count,
      mean = m.mean + (excluded.mean - m.mean) * excluded.count / (m.count + excluded.count),
      squares = m.squares + excluded.squares
        + (excluded.mean - m.mean) ^ 2 * m.count * excluded.count / (m.count + excluded.count)`.execute(executor)
}

/**
 * How the conversations stand; sessions and traces are others' own, here they are only read. Resolved: a person said so,
 * or none was needed and the last answer was a confident one.
 */
export async function countSessions(executor: Executor): Promise<SessionCounts> {
  const { rows } = await sql<SessionCounts>`select count(*) as sessions,
      count(*) filter (where escalated_at is not null) as escalated,
      count(*) filter (where agent_status = 'resolved'
        or (escalated_at is null and failed_attempts = 0 and turn_count > 0)) as resolved
    from chat_sessions`.execute(executor)
  return rows[0] as SessionCounts
}

/** Of the turns whose trace is kept; 0 while there is none. */
export async function averageTurnMs(executor: Executor): Promise<number> {
  const { rows } = await sql<{ average: number }>`select coalesce(avg(duration_ms), 0) as average
    from traces`.execute(executor)
  return rows[0]?.average ?? 0
}

/** The most frequent among the last `messages` messages that ask something, as they were written. */
export async function frequentQuestions(
  executor: Executor,
  { messages, limit }: { messages: number; limit: number },
): Promise<AskedQuestion[]> {
  const { rows } = await sql<AskedQuestion>`with recent as (
      select seq, session_id, role, content, intent from chat_messages order by seq desc limit ${messages}
    ), answered as (
      select role, content, lead(intent) over (partition by session_id order by seq) as intent from recent
    )
    select min(trim(content)) as question, count(*) as count from answered
    where role = 'user' and length(content) <= 500 and coalesce(intent, '') not in ('chitchat', 'human')
    group by lower(trim(content)) order by count desc, question limit ${limit}`.execute(executor)
  return rows
}

/** Chunks that can be found. */
export async function countChunks(executor: Executor): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from knowledge_chunks
    where collection = 'main'`.execute(executor)
  return rows[0]?.count ?? 0
}

/** Lengths of the vectors that are served, and how many chunks have none. */
export async function readVectorState(executor: Executor): Promise<{ dimensions: number[]; missing: number }> {
  const { rows } = await sql<{ dimensions: number[]; missing: number }>`with serving as (
      select generation from knowledge_embedding_generations where status = 'serving'
    )
    select coalesce((select array_agg(distinct vector_dims(embedding)) from knowledge_embeddings
        where collection = 'main' and generation in (select generation from serving)), '{}') as dimensions,
      (select count(*) from knowledge_chunks c where collection = 'main' and not exists (
        select 1 from knowledge_embeddings e where e.chunk_id = c.chunk_id
          and e.generation in (select generation from serving))) as missing`.execute(executor)
  return rows[0] as { dimensions: number[]; missing: number }
}
