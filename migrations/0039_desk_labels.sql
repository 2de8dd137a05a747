-- Labels that people sort conversations by.
create table desk_labels (
  label_id text primary key,
  name text not null,
  colour text not null,
  created_at timestamptz not null default now()
);
-- Two names that differ in case alone would look like one.
create unique index desk_labels_name on desk_labels (lower(name));

create table desk_session_labels (
  session_id text not null references chat_sessions on delete cascade,
  label_id text not null references desk_labels on delete cascade,
  primary key (session_id, label_id)
);
create index desk_session_labels_label on desk_session_labels (label_id);
