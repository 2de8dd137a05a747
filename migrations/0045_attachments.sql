-- Files that customers and people send each other. Each is a message of its own, which names it.
create table attachments (
  attachment_id text primary key,
  session_id text not null references chat_sessions on delete cascade,
  message_id text not null,
  file_name text not null,
  -- As its content says, not its name.
  media_type text not null,
  size integer not null,
  created_at timestamptz not null default now()
);
create index attachments_session on attachments (session_id, created_at);

-- In pieces of a mebibyte: written as one value, a large file takes ten times its size in memory.
create table attachment_pieces (
  attachment_id text not null references attachments on delete cascade,
  piece integer not null,
  bytes bytea not null,
  primary key (attachment_id, piece)
);
alter table attachment_pieces alter column bytes set storage external;
