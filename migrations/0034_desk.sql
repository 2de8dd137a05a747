-- How far each person has read a conversation. Without a row nothing of it was read.
create table desk_reads (
  session_id text not null references chat_sessions on delete cascade,
  -- Name of the person, or what a program with the key says; empty: it says nothing.
  reader text not null,
  seq bigint not null,
  read_at timestamptz not null default now(),
  primary key (session_id, reader)
);

-- Lists of the desk, the latest first.
create index chat_sessions_by_status on chat_sessions (agent_status, updated_at desc) where agent_status is not null;
create index chat_sessions_by_agent on chat_sessions (agent_id, updated_at desc) where agent_id is not null;
create index chat_sessions_by_channel on chat_sessions (channel, updated_at desc);

-- Words of messages as hashes, for the search over conversations; and below zero the windows of `seq` that a message is in,
-- so that the latest ones are found without reading all that hold a frequent word. Filled in the background.
create table desk_words (
  seq bigint primary key references chat_messages (seq) on delete cascade,
  session_id text not null,
  words integer[] not null
);
create index desk_words_of on desk_words using gin (words) with (fastupdate = off);

-- Up to where every message has its words, and of which analysis they are.
create table desk_search_state (
  only_row boolean primary key default true check (only_row),
  seq bigint not null,
  analysis text not null
);
