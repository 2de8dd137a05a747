-- A conversation with a customer. `agent_status` is null until it is handed to people.
create table chat_sessions (
  session_id text primary key,
  user_id text not null default '',
  channel text not null,
  turn_count integer not null default 0,
  failed_attempts integer not null default 0,
  emotion_score double precision not null default 0,
  intent text not null default 'unknown',
  -- What the next turn needs to know: a pending confirmation, the last subject, a summary of older turns.
  context jsonb not null default '{}',
  agent_status text check (agent_status in ('pending', 'assigned', 'resolved')),
  agent_id text,
  priority text check (priority in ('low', 'medium', 'high', 'urgent')),
  escalation_card jsonb,
  escalated_at timestamptz,
  accepted_at timestamptz,
  resolved_at timestamptz,
  note text,
  -- One turn at a time per session, on whichever replica; the lease ends by itself when that replica dies.
  turn_owner text,
  turn_expires_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index chat_sessions_recent on chat_sessions (updated_at desc);
create index chat_sessions_handoff on chat_sessions (agent_status, escalated_at) where agent_status is not null;
create index chat_sessions_user on chat_sessions (channel, user_id, updated_at desc) where user_id <> '';

create table chat_messages (
  seq bigint generated always as identity primary key,
  message_id text not null unique,
  session_id text not null references chat_sessions on delete cascade,
  role text not null check (role in ('user', 'assistant', 'agent', 'system')),
  content text not null,
  intent text,
  sources jsonb,
  -- What else is known of a message: `interrupted`, `agent_id`, `event`, feedback.
  details jsonb not null default '{}',
  created_at timestamptz not null default clock_timestamp()
);
create index chat_messages_session on chat_messages (session_id, seq);
