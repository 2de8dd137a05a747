-- Tickets, what is known of problems from run to run, and mining runs.

-- Personal data is masked before it is stored.
create table tickets (
  ticket_id text primary key,
  subject text not null,
  content text not null,
  solution text not null,
  -- As it was given, in lower case; empty when none was.
  status text not null,
  category text not null,
  origin text not null check (origin in ('import', 'session')),
  -- Milliseconds, as the service counts: pages of tickets are read from the last one on.
  created_at timestamptz(3) not null,
  imported_at timestamptz not null default now()
);
create index tickets_age on tickets (created_at, ticket_id);

-- Problems that a run found, by which they are known again in the next one.
create table mining_clusters (
  cluster_id text primary key,
  -- Its candidate in the review queue; null: it was not proposed.
  solution_id text,
  -- As they were proposed last: what differs in the queue was edited by a person.
  question text not null,
  solution text not null,
  -- Stemmed words with their weights.
  profile jsonb not null,
  -- The first 1,000.
  ticket_ids jsonb not null,
  updated_at timestamptz not null default now()
);

create table mining_runs (
  report_id text primary key,
  ordinal bigint generated always as identity unique,
  state text not null check (state in ('running', 'finished', 'failed', 'interrupted')),
  filters json not null,
  -- Null until it is finished; `json` keeps the order of the fields.
  report json,
  error text,
  started_at timestamptz not null,
  finished_at timestamptz
);

-- How far resolved conversations were made into tickets: the last message that was looked at.
create table mining_sessions_cursor (
  only_row boolean primary key default true check (only_row),
  seq bigint not null
);
