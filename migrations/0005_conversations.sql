-- First answers to requests with an Idempotency-Key, replayed for a day. `status` is null while the first one runs.
create table idempotency_keys (
  key text primary key,
  fingerprint text not null,
  status integer,
  content_type text,
  body text,
  created_at timestamptz not null default now()
);
create index idempotency_keys_age on idempotency_keys (created_at);

create table chat_feedback (
  message_id text primary key references chat_messages (message_id) on delete cascade,
  session_id text not null,
  rating text not null check (rating in ('up', 'down')),
  comment text,
  created_at timestamptz not null default now()
);
create index chat_feedback_recent on chat_feedback (created_at);
