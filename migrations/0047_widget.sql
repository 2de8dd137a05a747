-- Widgets on pages of the shop. The public key names one; secrets are what the shop's server signs its customers with, so
-- they are kept as they are. An older key and secret are taken for a while after they were replaced.
create table widgets (
  widget_id text primary key,
  name text not null,
  public_key text not null unique,
  previous_key text unique,
  previous_key_until timestamptz,
  identity_secret text not null,
  previous_secret text,
  previous_secret_until timestamptz,
  allowed_origins text[] not null,
  settings jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  revoked_at timestamptz
);

-- Words about who a customer is that count once, by their digest, until they expire.
create table widget_used_identities (
  digest text primary key,
  expires_at timestamptz not null
);
create index widget_used_identities_age on widget_used_identities (expires_at);

-- Where the customer can be reached, as they or the shop's server said.
alter table chat_sessions add column contact jsonb;

-- As in 0029; a message that is sent again is stored once, and the desk was told of it.
create or replace function begin_chat_turns(turns jsonb, lease_seconds integer, history_limit integer) returns text
language plpgsql as $$
declare
  turn jsonb;
  s chat_sessions;
  guest boolean;
  aside jsonb;
  history json;
  begun json[] := '{}';
  told text[] := '{}';
begin
  -- In one order everywhere, so that two replicas never wait for each other's sessions.
  for turn in select value from jsonb_array_elements(turns) order by value->>'sessionId' loop
    insert into chat_sessions as known (session_id, user_id, channel, origin, turn_owner, turn_expires_at)
    values (turn->>'sessionId', turn->>'userId', turn->>'channel', turn->>'origin', turn->>'owner',
      now() + make_interval(secs => lease_seconds))
    on conflict (session_id) do update set turn_owner = excluded.turn_owner,
      turn_expires_at = excluded.turn_expires_at,
      user_id = case when known.user_id = '' then excluded.user_id else known.user_id end,
      origin = case when known.user_id = '' then excluded.origin else known.origin end,
      adopted_at = case when known.user_id = '' and excluded.user_id <> '' then now() else known.adopted_at end,
      context = case when known.user_id = '' and excluded.user_id <> ''
        then jsonb_build_object('guest', known.context || jsonb_build_object('failedAttempts', known.failed_attempts,
          'intent', known.intent)) else known.context end,
      failed_attempts = case when known.user_id = '' and excluded.user_id <> '' then 0 else known.failed_attempts end,
      intent = case when known.user_id = '' and excluded.user_id <> '' then 'unknown' else known.intent end
    where (known.turn_owner is null or known.turn_expires_at < now())
      and voice_in(known.user_id, known.origin, excluded.user_id, excluded.origin, true) <> 'other'
    returning * into s;
    continue when not found;

    if s.adopted_at = now() then
      update chat_messages set details = details || '{"guest": true}' where session_id = s.session_id;
    end if;
    guest := voice_in(s.user_id, s.origin, turn->>'userId', turn->>'origin', (turn->>'trustsMade')::boolean) = 'guest';
    aside := coalesce(s.context->'guest', '{}');

    if not exists (select from chat_messages
      where message_id = turn->>'messageId' and session_id = s.session_id) then
      insert into chat_messages (message_id, session_id, role, content, details)
      values (turn->>'messageId', s.session_id, 'user', turn->>'content',
        case when guest then '{"guest": true}'::jsonb else '{}' end);
      if s.agent_status in ('pending', 'assigned') then
        told := told || (turn->>'messageId');
      end if;
    end if;

    select json_agg(json_build_object('seq', m.seq, 'messageId', m.message_id, 'role', m.role, 'content', m.content,
      'intent', m.intent, 'sources', m.sources, 'details', m.details, 'createdAt', m.created_at) order by m.seq)
    into history
    from (select * from chat_messages where session_id = s.session_id and (details ? 'guest') = guest
      order by seq desc limit history_limit) m;

    begun := begun || json_build_object('session', json_build_object('sessionId', s.session_id,
      'userId', case when guest then '' else s.user_id end, 'isGuest', guest, 'channel', s.channel,
      'turnCount', s.turn_count,
      'failedAttempts', case when guest then coalesce((aside->>'failedAttempts')::integer, 0) else s.failed_attempts end,
      'emotionScore', s.emotion_score,
      'intent', case when guest then coalesce(aside->>'intent', 'unknown') else s.intent end,
      'context', case when guest then aside - 'failedAttempts' - 'intent' else s.context - 'guest' end,
      'customersQuestions', case when guest then s.context->'questions' end,
      'agentStatus', s.agent_status, 'createdAt', s.created_at, 'updatedAt', s.updated_at), 'history', history);
  end loop;
  perform tell_desk(told);
  return array_to_json(begun);
end $$;
