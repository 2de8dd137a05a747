-- Ratings of customers for what a person did for them: one for each time that a conversation was resolved.
create table session_ratings (
  session_id text not null references chat_sessions on delete cascade,
  -- Number of the message that told of the resolution.
  resolution bigint not null,
  score smallint not null check (score between 1 and 5),
  comment text,
  -- Who had the conversation then; null: nobody was named.
  agent_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (session_id, resolution)
);
create index session_ratings_recent on session_ratings (created_at desc);
create index session_ratings_agent on session_ratings (agent_id, created_at desc) where agent_id is not null;
