-- Runs of jobs, with how far each came. A run is under way as long as its lease in `exclusive_jobs` is: one that says so
-- without a lease lost its process.
create table job_runs (
  run_id text primary key,
  ordinal bigint generated always as identity unique,
  job text not null,
  subject text not null,
  state text not null check (state in ('running', 'finished', 'failed', 'cancelled', 'interrupted')),
  stage text,
  done integer not null default 0,
  total integer not null default 0,
  started_by text,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  cancelled_at timestamptz,
  cancelled_by text,
  -- The report that it left.
  result_id text,
  error text
);
create index job_runs_newest on job_runs (job, ordinal desc);
