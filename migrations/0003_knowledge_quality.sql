-- Canary, quality and update runs.

-- The file that updates read a document from, as a real path; null: it was uploaded.
alter table knowledge_documents add column file_path text;

create unique index knowledge_versions_one_canary on knowledge_versions (doc_id) where status = 'canary';

-- Finished updates, newest last; what they did to each document is in the registry.
create table update_runs (
  run_id bigint generated always as identity primary key,
  mode text not null check (mode in ('full', 'incremental')),
  -- The folder or file that was read, as a real path.
  target text not null,
  result jsonb not null,
  started_at timestamptz not null,
  finished_at timestamptz not null default now()
);
