-- Human solutions and what agents need.

-- Answers of people, and candidates of mining, that wait for review; an approved one is a document of the knowledge base.
create table human_solutions (
  solution_id text primary key,
  -- As it was given: a solution may come from a conversation that was held elsewhere.
  session_id text not null,
  question text not null,
  solution text not null,
  intent text not null,
  status text not null check (status in ('pending', 'approved', 'rejected')),
  origin text not null check (origin in ('human', 'mining')),
  -- Names a candidate of mining from run to run, so that running again updates it.
  candidate_key text unique,
  -- What the knowledge base said to the question when it was submitted or last edited.
  similar_passages jsonb not null default '[]',
  details jsonb not null default '{}',
  -- Grows with every edit: what was prepared for publication is what gets published.
  revision integer not null default 1,
  doc_id text,
  reason text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  reviewed_at timestamptz
);
create index human_solutions_pending on human_solutions (created_at, solution_id) where status = 'pending';

-- What the business agent asked the person who helps; what it asked the customer is in `context`.
alter table chat_sessions add column agent_pending jsonb;
