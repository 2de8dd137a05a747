-- Canary, quality and update runs.

-- The file that updates read a document from, as a real path; null: it was uploaded.
alter table knowledge_documents add column file_path text;

create unique index knowledge_versions_one_canary on knowledge_versions (doc_id) where status = 'canary';

-- Runs of the document updates. One at a time over all replicas; `seen_at` grows while its process lives.
create table update_runs (
  run_id bigint generated always as identity primary key,
  mode text not null check (mode in ('full', 'incremental')),
  target text not null,
  status text not null check (status in ('running', 'finished', 'failed')),
  -- The process that runs it.
  owner text not null,
  progress jsonb not null default '{}',
  result jsonb,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  finished_at timestamptz
);
create unique index update_runs_one_running on update_runs (status) where status = 'running';
