import { sql } from 'kysely'
import { type Database, type Executor, notify, toJson } from '../../platform/postgres/index.ts'
import type {
  EndedSession,
  Ending,
  Experiment,
  ListedExperiment,
  MetricBatch,
  MetricRow,
  UnitCount,
  UnitRow,
} from './types.ts'

/** Carries the name of a guarded experiment that was made, replaced, ended or removed. */
export const EXPERIMENTS_CHANNEL = 'experiments'

const columns = sql`name, experiment_id as "experimentId", description, variants, traffic_split as "trafficSplit",
  variant_params as "variantParams", is_guarded as "isGuarded", created_at as "createdAt", ended_at as "endedAt",
  judged_by as "judgedBy", ends_at as "endsAt", sessions_per_variant as "sessionsPerVariant", end_reason as "endReason",
  ended_by as "endedBy"`

/** One at a time, over all replicas: two of one name must not both find none, and the number of all is a limit. */
export async function lockExperiments(executor: Executor): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('operations:experiments', 0))`.execute(executor)
}

/** Removes what has the name, with its metrics; the guarded ones only where `isTrusted`. */
export async function removeExperiments(
  db: Database,
  trx: Executor,
  name: string,
  isTrusted: boolean,
): Promise<number> {
  const { rows } = await sql<{ isGuarded: boolean }>`delete from experiments
    where name = ${name} and (${isTrusted} or not is_guarded) returning is_guarded as "isGuarded"`.execute(trx)
  if (rows.some(({ isGuarded }) => isGuarded)) await announce(db, trx, name)
  return rows.length
}

export async function countExperiments(executor: Executor): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from experiments`.execute(executor)
  return rows[0]?.count ?? 0
}

export async function addExperiment(db: Database, trx: Executor, experiment: Experiment): Promise<void> {
  await sql`insert into experiments (name, experiment_id, description, variants, traffic_split, variant_params,
      created_at, settled_to, judged_by, ends_at, sessions_per_variant)
    values (${experiment.name}, ${experiment.experimentId}, ${experiment.description},
      ${toJson(experiment.variants)}::jsonb, ${toJson(experiment.trafficSplit)}::jsonb,
      ${toJson(experiment.variantParams)}::jsonb, ${experiment.createdAt}, ${experiment.createdAt},
      ${experiment.judgedBy}, ${experiment.endsAt}, ${experiment.sessionsPerVariant})`.execute(trx)
  if (experiment.isGuarded) await announce(db, trx, experiment.name)
}

/** False where it has ended already. */
export async function endExperiment(
  db: Database,
  trx: Executor,
  experiment: Experiment,
  { at, reason, by }: Ending,
): Promise<boolean> {
  const { rows } = await sql`update experiments set ended_at = ${at}, end_reason = ${reason}, ended_by = ${by}
    where experiment_id = ${experiment.experimentId} and ended_at is null returning 1`.execute(trx)
  if (rows.length > 0 && experiment.isGuarded) await announce(db, trx, experiment.name)
  return rows.length > 0
}

/** Those that run and are to end by themselves. */
export async function listPlanned(executor: Executor): Promise<Experiment[]> {
  const { rows } = await sql<Experiment>`select ${columns} from experiments
    where ended_at is null and (ends_at is not null or sessions_per_variant is not null)`.execute(executor)
  return rows
}

function announce(db: Database, trx: Executor, name: string): Promise<void> {
  return notify(db, trx, EXPERIMENTS_CHANNEL, name)
}

/** In the order of their creation. Of two with one name `isTrusted` sees both, anybody else the plain one. */
export async function listExperiments(executor: Executor, isTrusted: boolean): Promise<ListedExperiment[]> {
  const { rows } = await sql<ListedExperiment>`select ${columns},
      coalesce((select sum(m.count) from experiment_metrics m where m.experiment_id = e.experiment_id), 0)::bigint
        as samples
    from experiments e
    where ${isTrusted} or not is_guarded
      or not exists (select 1 from experiments plain where plain.name = e.name and not plain.is_guarded)
    order by created_at, name`.execute(executor)
  return rows
}

/** Of two with one name `isTrusted` means the guarded one, anybody else the plain one. */
export async function findExperiment(
  executor: Executor,
  name: string,
  isTrusted: boolean,
): Promise<Experiment | undefined> {
  const { rows } = await sql<Experiment>`select ${columns} from experiments where name = ${name}
    order by (is_guarded = ${isTrusted}) desc limit 1`.execute(executor)
  return rows[0]
}

/** Those that change replies now; plain ones, however many, cost a turn nothing. */
export async function listInForce(executor: Executor, name: string | null = null): Promise<Experiment[]> {
  const { rows } = await sql<Experiment>`select ${columns} from experiments
    where is_guarded and ended_at is null and (${name}::text is null or name = ${name})`.execute(executor)
  return rows
}

export async function readMetrics(executor: Executor, experimentId: string): Promise<MetricRow[]> {
  const { rows } = await sql<MetricRow>`select variant, metric, count, mean, squares from experiment_metrics
    where experiment_id = ${experimentId} order by metric, variant`.execute(executor)
  return rows
}

/** Takes out what was measured of a running experiment. */
export async function removeMetric(trx: Executor, experimentId: string, metric: string): Promise<void> {
  await sql`delete from experiment_metrics where experiment_id = ${experimentId} and metric = ${metric}
    and exists (select from experiments e where e.experiment_id = ${experimentId} and e.ended_at is null)`.execute(trx)
}

/** Whether the metric is known of the variant already, or one more may be. */
export async function hasRoomForMetric(
  executor: Executor,
  { experimentId, variant, metric, limit }: { experimentId: string; variant: string; metric: string; limit: number },
): Promise<boolean> {
  const { rows } = await sql<{ hasRoom: boolean }>`select exists (select 1 from experiment_metrics
        where experiment_id = ${experimentId} and variant = ${variant} and metric = ${metric})
      or (select count(*) from experiment_metrics
        where experiment_id = ${experimentId} and variant = ${variant}) < ${limit} as "hasRoom"`.execute(executor)
  return rows[0]?.hasRoom ?? false
}

/**
 * Adds values to what is known of their metrics, and the units that they came from; those of an experiment that was
 * replaced or ended meanwhile are left out.
 * Merging means and squared deviations: T. Chan, G. Golub, R. LeVeque, "Updating Formulae and a Pairwise Algorithm for
 * Computing Sample Variances" (1979).
 */
export async function mergeMetrics(
  executor: Executor,
  batches: readonly MetricBatch[],
  units: readonly UnitRow[] = [],
): Promise<void> {
  await sql`with running as (
      select experiment_id from experiments
      where experiment_id = any(${batches.map(({ experimentId }) => experimentId)}) and ended_at is null
      order by experiment_id for share
    ), measured as (
      insert into experiment_units (experiment_id, variant, unit)
      select distinct "experimentId", variant, unit
      from jsonb_to_recordset(${toJson(units)}::jsonb) as u("experimentId" text, variant text, unit bigint)
      where "experimentId" in (select experiment_id from running)
      order by "experimentId", variant, unit
      on conflict do nothing
    )
    insert into experiment_metrics as m (experiment_id, variant, metric, count, mean, squares)
    select "experimentId", variant, metric, count, mean, squares
    from jsonb_to_recordset(${toJson(batches)}::jsonb) as r("experimentId" text, variant text, metric text,
      count bigint, mean double precision, squares double precision)
    where "experimentId" in (select experiment_id from running)
    order by "experimentId", variant, metric
    on conflict (experiment_id, variant, metric) do update set
      count = m.count + excluded.count,
      mean = m.mean + (excluded.mean - m.mean) * excluded.count / (m.count + excluded.count),
      squares = m.squares + excluded.squares
        + (excluded.mean - m.mean) ^ 2 * m.count * excluded.count / (m.count + excluded.count)`.execute(executor)
}

/** Keeps the `kept` smallest units of a variant: whichever replica trims first, they are the same. */
export async function trimUnits(executor: Executor, { experimentId, variant }: UnitRow, kept: number): Promise<void> {
  await sql`delete from experiment_units where experiment_id = ${experimentId} and variant = ${variant}
    and unit > (select unit from experiment_units where experiment_id = ${experimentId} and variant = ${variant}
      order by unit offset ${kept - 1} limit 1)`.execute(executor)
}

/** How many units of each variant are kept, and the largest of the `kept` smallest as a share of all there could be. */
export async function countUnits(executor: Executor, experimentId: string, kept: number): Promise<UnitCount[]> {
  const { rows } =
    await sql<UnitCount>`select variant, count(*) as count, max(unit) / 9223372036854775808.0::float8 as share
    from (select variant, unit, row_number() over (partition by variant order by unit) as place
      from experiment_units where experiment_id = ${experimentId}) ranked
    where place <= ${kept} group by variant`.execute(executor)
  return rows
}

/** Until when the ended sessions of a running experiment are counted; locks it, and skips one that another has locked. */
export async function lockUnsettled(executor: Executor, experimentId: string): Promise<Date | null> {
  const { rows } = await sql<{ settledTo: Date }>`select settled_to as "settledTo" from experiments
    where experiment_id = ${experimentId} and ended_at is null
    for no key update skip locked`.execute(executor)
  return rows[0]?.settledTo ?? null
}

export async function noteSettled(executor: Executor, experimentId: string, to: Date): Promise<void> {
  await sql`update experiments set settled_to = ${to} where experiment_id = ${experimentId}`.execute(executor)
}

/** Sessions of chat's own whose last activity lies in the time given, with what is known for certain of how they ended. */
export async function listEndedSessions(executor: Executor, after: Date, until: Date): Promise<EndedSession[]> {
  const { rows } = await sql<EndedSession>`select session_id as "sessionId", escalated_at is not null as "hadPerson",
      (select rating from chat_feedback f where f.session_id = s.session_id order by created_at desc limit 1) as rating
    from chat_sessions s
    where updated_at > ${after} and updated_at <= ${until} and turn_count > 0`.execute(executor)
  return rows
}
