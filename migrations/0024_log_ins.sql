-- People who work with the service, by the name that they log in with. Names never change: they stand wherever somebody
-- wrote, approved or took something.
create table people (
  name text primary key check (name = lower(name)),
  display_name text not null,
  role text not null check (role in ('agent', 'editor', 'admin')),
  -- scrypt, with its parameters and salt.
  password text not null,
  -- Somebody else knows the password: until it is changed a log-in may do nothing else.
  must_change_password boolean not null,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_seen_at timestamptz
);

-- Browsers that are logged in. Only their cookie holds the token.
create table log_ins (
  log_in_id text primary key,
  token_digest bytea not null unique,
  -- Null: by a key, or by the code of the first start.
  person text references people on delete cascade,
  -- Digest of the key, hidden under the token, so that the row alone says nothing of it; null: no key.
  sealed_key bytea,
  address text not null,
  user_agent text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index log_ins_person on log_ins (person, created_at);

-- Failed log-ins by name, by address and by both, and until when no further one is tried.
create table log_in_failures (
  subject text primary key,
  failures integer not null,
  failed_at timestamptz not null,
  blocked_until timestamptz not null
);

-- What those who had logged in changed. Texts that people write are not in it.
create table audit_log (
  seq bigint generated always as identity primary key,
  happened_at timestamptz not null default now(),
  actor text not null,
  is_person boolean not null,
  action text not null,
  subject text not null,
  before jsonb,
  after jsonb,
  address text not null,
  request_id text not null
);
create index audit_log_actor on audit_log (actor, seq);
create index audit_log_subject on audit_log (subject, seq);
create index audit_log_age on audit_log (happened_at);
