-- Replies that people keep for each other, with places for what differs from customer to customer.
create table desk_replies (
  reply_id text primary key,
  title text not null,
  content text not null,
  -- Typed to find it; null: none.
  shortcut text,
  -- Null: in any.
  language text check (language in ('zh', 'en')),
  author text not null,
  uses integer not null default 0,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- The same shortcut may lead to a reply in each language.
create unique index desk_replies_shortcut on desk_replies (shortcut, coalesce(language, ''));
create index desk_replies_recent on desk_replies (created_at, reply_id);

-- Words that a person has begun to write in a conversation.
create table desk_drafts (
  session_id text not null references chat_sessions on delete cascade,
  -- Name of the person, or what a program with the key says; empty: it says nothing.
  author text not null,
  content text not null,
  updated_at timestamptz not null default now(),
  primary key (session_id, author)
);
