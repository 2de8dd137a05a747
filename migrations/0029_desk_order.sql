-- The order in which people at the desk are told of messages, which their event streams resume by. `seq` cannot be that: of two
-- transactions at once the later number may be seen first, and whoever resumed after it would never be told of the other.
-- Only messages that the desk is told of have a number, and keep it whatever becomes of their session.
alter table chat_messages add column desk_seq bigint;
create sequence chat_messages_desk_seq;

-- Streams that were followed before go on: what they were told has the number that they know it by.
update chat_messages m set desk_seq = m.seq
where (m.role = 'system' and m.details ? 'event') or (m.role in ('user', 'agent') and exists (
  select from chat_sessions s where s.session_id = m.session_id and s.escalated_at <= m.created_at
    and s.agent_status is not null));
select setval('chat_messages_desk_seq', (select coalesce(max(seq), 0) + 1 from chat_messages), false);
create unique index chat_messages_desk on chat_messages (desk_seq) where desk_seq is not null;

-- Numbers messages for the desk. One transaction after the other, from the first number to the commit, so that numbers are
-- seen in their order; sessions are locked before, never after.
create function tell_desk(message_ids text[]) returns void language plpgsql as $$
begin
  if cardinality(message_ids) = 0 then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('desk_seq', 0));
  update chat_messages m set desk_seq = numbered.number
  from (select message_id, nextval('chat_messages_desk_seq') as number
    from (select message_id from chat_messages where message_id = any(message_ids) order by seq) ordered) numbered
  where m.message_id = numbered.message_id;
end $$;

-- As in 0015; the desk is told of messages in sessions that wait for a person or that one has.
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

    insert into chat_messages (message_id, session_id, role, content, details)
    values (turn->>'messageId', s.session_id, 'user', turn->>'content',
      case when guest then '{"guest": true}'::jsonb else '{}' end);
    if s.agent_status in ('pending', 'assigned') then
      told := told || (turn->>'messageId');
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
