-- What is kept how long, and the erasure of what is known of a customer.

-- Where the latest session of a customer on a channel was looked up, now every session of a customer is too.
drop index chat_sessions_user;
create index chat_sessions_customer on chat_sessions (user_id, channel, updated_at desc) where user_id <> '';

create index traces_session on traces (session_id);
create index human_solutions_session on human_solutions (session_id) where session_id <> '';
create index business_changes_user on business_changes (user_id);
create index gateway_addresses_age on gateway_addresses (updated_at);

-- The conversation that a ticket was made of; null: it was imported.
alter table tickets add column session_id text;
update tickets t set session_id = m.session_id
from chat_messages m where t.origin = 'session' and m.message_id = substr(t.ticket_id, length('session:') + 1);
create index tickets_imported on tickets (imported_at);
create index tickets_session on tickets (session_id) where session_id is not null;

-- Whose the stored answer is, as far as the request and the answer tell.
alter table idempotency_keys add column session_id text, add column user_id text;
create index idempotency_keys_session on idempotency_keys (session_id) where session_id is not null;
create index idempotency_keys_user on idempotency_keys (user_id) where user_id is not null;

-- Sessions that were removed lately, by the digest of their id: what was recorded of them and waits to be stored
-- somewhere is thrown away. `infinity`: the removal is under way.
create table erased_sessions (
  session_key bytea primary key,
  erased_at timestamptz not null,
  noted_at timestamptz not null default now()
);
create index erased_sessions_age on erased_sessions (noted_at);

create function erased_session_key(session_id text) returns bytea
language sql immutable parallel safe
return sha256(convert_to(session_id, 'UTF8'));

-- A turn that was under way while its session was erased must not speak into the one that took its id since: those of
-- `turns` that still have their session, or never lost it.
create function turns_not_erased(turns jsonb) returns jsonb
language sql stable as $$
  select case when not exists (select from erased_sessions) then turns else (
    select coalesce(jsonb_agg(turn), '[]') from jsonb_array_elements(turns) as t(turn)
    where not exists (select from erased_sessions e join chat_sessions s on s.session_id = turn->>'sessionId'
      where e.session_key = erased_session_key(turn->>'sessionId') and s.turn_owner is distinct from turn->>'owner')) end
$$;

-- Erasures of what is known of a customer: who is named by a digest alone once one has finished.
create table customer_erasures (
  erasure_id text primary key,
  subject text not null,
  -- While it runs; null once it has finished.
  user_id text,
  erases_records boolean not null,
  caller text not null,
  state text not null check (state in ('started', 'finished')),
  counts jsonb not null default '{}',
  -- Whoever does not renew it has lost its process; another one goes on.
  owner text,
  lease_expires_at timestamptz,
  started_at timestamptz not null default now(),
  finished_at timestamptz
);
create index customer_erasures_recent on customer_erasures (started_at desc, erasure_id desc);
create index customer_erasures_subject on customer_erasures (subject);
create index customer_erasures_running on customer_erasures (started_at) where state = 'started';
