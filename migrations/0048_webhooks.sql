-- Receivers of other programs that are told what happens here. The secret signs, so it is kept as it is; the one before is
-- used beside it for a while after it was replaced.
create table webhooks (
  webhook_id text primary key,
  url text not null,
  description text not null,
  -- Types of events; `*` for all.
  events text[] not null,
  is_active boolean not null default true,
  secret text not null,
  previous_secret text,
  previous_secret_until timestamptz,
  -- In a row, since when, and how long nothing is sent for it.
  failures integer not null default 0,
  failing_since timestamptz,
  paused_until timestamptz,
  -- Why it was switched off by itself.
  disabled_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table webhook_events (
  seq bigint generated always as identity primary key,
  event_id text not null unique,
  type text not null,
  session_id text references chat_sessions on delete cascade,
  data jsonb not null,
  created_at timestamptz not null default clock_timestamp()
);
create index webhook_events_age on webhook_events (created_at);
create index webhook_events_session on webhook_events (session_id) where session_id is not null;

-- Those of one lane follow each other: what one receiver is told of one conversation.
create table webhook_deliveries (
  delivery_id bigint generated always as identity primary key,
  webhook_id text not null references webhooks on delete cascade,
  seq bigint not null references webhook_events on delete cascade,
  lane text not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  leased_until timestamptz,
  finished_at timestamptz,
  created_at timestamptz not null default now()
);
create index webhook_deliveries_waiting on webhook_deliveries (lane, delivery_id) where state = 'waiting';
create index webhook_deliveries_due on webhook_deliveries (next_attempt_at) where state = 'waiting';
create index webhook_deliveries_leased on webhook_deliveries (webhook_id, leased_until) where state = 'waiting' and leased_until is not null;
create index webhook_deliveries_list on webhook_deliveries (webhook_id, delivery_id desc);
create index webhook_deliveries_event on webhook_deliveries (seq);

create table webhook_attempts (
  attempt_id bigint generated always as identity primary key,
  delivery_id bigint not null references webhook_deliveries on delete cascade,
  attempted_at timestamptz not null,
  duration_ms integer not null,
  -- Null: there was no answer.
  status integer,
  error text,
  -- The beginning of what was answered.
  answer text not null
);
create index webhook_attempts_delivery on webhook_attempts (delivery_id);

-- Tells the receivers that want it, in the transaction of what happened.
create function tell_webhooks(told_type text, about text, lane_of text, told jsonb) returns void
language plpgsql as $$
declare
  number bigint;
begin
  if not exists (select from webhooks where is_active and ('*' = any(events) or told_type = any(events))) then
    return;
  end if;
  insert into webhook_events (event_id, type, session_id, data)
  values ('evt_' || replace(gen_random_uuid()::text, '-', ''), told_type, about, told) returning seq into number;
  insert into webhook_deliveries (webhook_id, seq, lane)
  select webhook_id, number, webhook_id || ' ' || coalesce(lane_of, number::text) from webhooks
  where is_active and ('*' = any(events) or told_type = any(events));
end $$;

create function webhook_type_of(event text) returns text language sql immutable as $$
  select case
    when event in ('handoff', 'released') then 'conversation.waiting'
    when event in ('accepted', 'transferred') then 'conversation.assigned'
    when event = 'resolved' then 'conversation.resolved'
    when event in ('returned', 'cancelled', 'handed_back') then 'conversation.returned'
  end
$$;

-- Every change of a conversation is told by a message of the system, which stands after the change in its transaction.
create function tell_webhooks_of_message() returns trigger language plpgsql as $$
declare
  s chat_sessions;
  told_type text := webhook_type_of(new.details->>'event');
begin
  if told_type is null then
    return null;
  end if;
  select * into s from chat_sessions where session_id = new.session_id;
  perform tell_webhooks(told_type, new.session_id, new.session_id, jsonb_build_object(
    'session_id', new.session_id, 'channel', s.channel, 'status', coalesce(s.agent_status, 'none'),
    'change', new.details->>'event', 'agent_id', s.agent_id, 'from_agent_id', new.details->>'from',
    'priority', s.priority, 'reason', s.escalation_card->>'reason'));
  return null;
end $$;
create trigger tell_webhooks after insert on chat_messages for each row
  when (new.role = 'system')
  execute function tell_webhooks_of_message();

create function tell_webhooks_of_rating() returns trigger language plpgsql as $$
begin
  perform tell_webhooks('conversation.rated', new.session_id, new.session_id, jsonb_build_object(
    'session_id', new.session_id, 'score', new.score, 'agent_id', new.agent_id));
  return null;
end $$;
create trigger tell_webhooks after insert or update of score on session_ratings for each row
  execute function tell_webhooks_of_rating();

create function tell_webhooks_of_solution() returns trigger language plpgsql as $$
begin
  perform tell_webhooks('solution.approved', null, new.solution_id, jsonb_build_object(
    'solution_id', new.solution_id, 'doc_id', new.doc_id));
  return null;
end $$;
create trigger tell_webhooks after update of status on human_solutions for each row
  when (new.status = 'approved' and old.status <> 'approved') execute function tell_webhooks_of_solution();

create function tell_webhooks_of_gap() returns trigger language plpgsql as $$
begin
  perform tell_webhooks('gap.found', null, new.gap_id, jsonb_build_object('gap_id', new.gap_id));
  return null;
end $$;
create trigger tell_webhooks after insert on knowledge_gaps for each row execute function tell_webhooks_of_gap();

-- Alerts that somebody has silenced are nobody's to be told of.
create function tell_webhooks_of_alert() returns trigger language plpgsql as $$
begin
  if exists (select from alert_silences where fingerprint = new.fingerprint and until > now()) then
    return null;
  end if;
  perform tell_webhooks(case when new.resolved_at is null then 'alert.fired' else 'alert.resolved' end, null,
    'alert ' || new.fingerprint, jsonb_build_object('alert_id', new.alert_id, 'level', new.level, 'source', new.source,
      'message', new.message));
  return null;
end $$;
create trigger tell_webhooks_of_new after insert on alerts for each row execute function tell_webhooks_of_alert();
create trigger tell_webhooks_of_end after update of resolved_at on alerts for each row
  when (old.resolved_at is null and new.resolved_at is not null) execute function tell_webhooks_of_alert();
