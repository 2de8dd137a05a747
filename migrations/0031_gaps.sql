-- What customers asked and the knowledge base did not answer, grouped by what they mean. The words of a group are those
-- of its questions, which go with their conversations.
create table knowledge_gaps (
  gap_id text primary key,
  -- What a person decided: it is looked after, or it is no business of ours.
  is_ignored boolean not null default false,
  decided_by text,
  decided_at timestamptz,
  -- The built-in vector of its first question.
  meaning bytea not null,
  -- What the last look at the knowledge base found, and the state of everything that it rested on.
  is_answered boolean not null default false,
  documents jsonb not null default '[]',
  checked_marker text,
  checked_at timestamptz,
  -- A solution that is on its way and would answer it.
  solution_id text,
  created_at timestamptz not null default now()
);

create table knowledge_gap_questions (
  message_id text primary key,
  seq bigint not null,
  gap_id text not null references knowledge_gaps on delete cascade,
  session_id text not null references chat_sessions on delete cascade,
  kind text not null check (kind in ('unsure', 'rated_down')),
  -- Masked.
  question text not null,
  language text not null,
  -- Of a badly rated reply: which versions it rested on.
  rested_on jsonb not null default '[]',
  asked_at timestamptz not null
);
create index knowledge_gap_questions_gap on knowledge_gap_questions (gap_id, seq desc);
create index knowledge_gap_questions_session on knowledge_gap_questions (session_id);
create index knowledge_gap_questions_seq on knowledge_gap_questions (seq);

-- One row: how far messages, ratings and solutions were read.
create table knowledge_gaps_cursor (
  only_row boolean primary key default true check (only_row),
  message_seq bigint not null default 0,
  rated_at timestamptz not null default '-infinity',
  solutions_marker text not null default ''
);
insert into knowledge_gaps_cursor default values;
