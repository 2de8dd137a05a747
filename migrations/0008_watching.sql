-- What the service knows about its own running: traces, usage, counters, alerts, experiments.

-- One turn of a conversation. Texts in it are masked before they are stored.
create table traces (
  seq bigint generated always as identity primary key,
  trace_id text not null unique,
  session_id text not null,
  channel text not null,
  status text not null check (status in ('ok', 'error', 'interrupted')),
  intent text not null,
  started_at timestamptz not null,
  duration_ms double precision not null,
  input_tokens integer not null default 0,
  output_tokens integer not null default 0,
  tokens_estimated boolean not null default false,
  error text,
  -- What the turn came to: was a person called, how sure was the answer, did it come from the cache.
  escalated boolean not null default false,
  confidence text check (confidence in ('sure', 'close', 'none')),
  cached boolean not null default false,
  steps jsonb not null,
  sub_tasks jsonb not null
);
create index traces_recent on traces (started_at desc, seq desc);

-- Counts since the first start: traces are pruned, what an agent has done is not forgotten.
create table agent_calls (
  agent text primary key,
  call_count bigint not null,
  error_count bigint not null,
  duration_ms double precision not null,
  last_called_at timestamptz not null,
  last_failed boolean not null
);

create table model_calls (
  call_id text primary key,
  ended_at timestamptz not null,
  agent text not null,
  tier text not null,
  model text not null,
  input_tokens integer not null,
  output_tokens integer not null,
  estimated boolean not null,
  attempts integer not null,
  first_token_ms double precision,
  duration_ms double precision not null,
  outcome text not null
);
create index model_calls_recent on model_calls (ended_at);

-- Counts of all replicas in steps of ten seconds, from which sliding windows are summed.
create table metric_buckets (
  bucket_at timestamptz not null,
  name text not null,
  label text not null,
  count bigint not null,
  total double precision not null,
  primary key (bucket_at, name, label)
);

create table metric_totals (
  name text not null,
  label text not null,
  count bigint not null,
  total double precision not null,
  primary key (name, label)
);

create table alerts (
  seq bigint generated always as identity primary key,
  alert_id text not null unique,
  level text not null check (level in ('info', 'warn', 'error', 'critical')),
  source text not null,
  message text not null,
  details jsonb not null,
  fingerprint text not null,
  count integer not null default 1,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  resolved_at timestamptz
);
-- The same trouble is one alert for as long as it lasts.
create unique index alerts_one_open on alerts (fingerprint) where resolved_at is null;
create index alerts_recent on alerts (created_at desc, seq desc);

create table experiments (
  name text primary key,
  -- New with every replacement, so that what was measured of the old one cannot count for the new one.
  experiment_id text not null unique,
  description text not null,
  variants jsonb not null,
  traffic_split jsonb not null,
  variant_params jsonb not null,
  created_at timestamptz not null
);

-- Count, mean and sum of squared deviations (Welford), so that a metric takes one row however often it is recorded.
create table experiment_metrics (
  experiment_id text not null references experiments (experiment_id) on delete cascade,
  variant text not null,
  metric text not null,
  count bigint not null,
  mean double precision not null,
  squares double precision not null,
  primary key (experiment_id, variant, metric)
);

-- Which of several replicas runs a periodic task: the one that moves its time first.
create table periodic_tasks (
  task text primary key,
  ran_at timestamptz not null
);
