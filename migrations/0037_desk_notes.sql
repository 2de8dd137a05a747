-- Notes that people make on conversations, for each other alone.
create table desk_notes (
  note_id text primary key,
  session_id text not null references chat_sessions on delete cascade,
  -- Name of the person, or what a program with the key says; empty: it says nothing.
  author text not null,
  content text not null,
  -- Names of the people of whom it speaks.
  mentions text[] not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index desk_notes_session on desk_notes (session_id, created_at, note_id);
