-- As in 0015, but a turn that took so long that another one has its session changes nothing that is the other one's: the
-- lease, the context, the count of failures. What it said was said, and is stored.
create or replace function end_chat_turns(turns jsonb) returns text
language plpgsql as $$
declare
  turn jsonb;
  reply jsonb;
  guest boolean;
  s chat_sessions;
  ended json[] := '{}';
begin
  for turn in select value from jsonb_array_elements(turns) order by value->>'sessionId' loop
    guest := (turn->>'isGuest')::boolean;
    reply := turn->'reply';
    if guest then
      update chat_sessions set turn_count = turn_count + 1, context = context || jsonb_build_object('guest',
          (turn->'context') || jsonb_build_object('failedAttempts', turn->'failedAttempts', 'intent', turn->'intent')),
        updated_at = now(), turn_owner = null, turn_expires_at = null
      where session_id = turn->>'sessionId' and turn_owner = turn->>'owner' returning * into s;
    else
      update chat_sessions set turn_count = turn_count + 1, failed_attempts = (turn->>'failedAttempts')::integer,
        emotion_score = (turn->>'emotionScore')::double precision, intent = turn->>'intent',
        context = (turn->'context') || case when context ? 'guest' then jsonb_build_object('guest', context->'guest')
          else '{}' end,
        updated_at = now(), turn_owner = null, turn_expires_at = null
      where session_id = turn->>'sessionId' and turn_owner = turn->>'owner' returning * into s;
    end if;
    if not found then
      update chat_sessions set turn_count = turn_count + 1, updated_at = now()
      where session_id = turn->>'sessionId' returning * into s;
    end if;
    continue when not found;

    if s.agent_status is distinct from 'assigned' and reply->>'content' <> '' then
      insert into chat_messages (message_id, session_id, role, content, intent, sources, details)
      values (reply->>'messageId', s.session_id, 'assistant', reply->>'content', turn->>'intent', reply->'sources',
        (reply->'details') || case when guest then '{"guest": true}'::jsonb else '{}' end);
    end if;

    ended := ended || json_build_object('sessionId', s.session_id, 'turnCount', s.turn_count,
      'failedAttempts', (turn->>'failedAttempts')::integer, 'agentStatus', s.agent_status,
      'escalationCard', s.escalation_card, 'isOthersCall', s.user_id <> '' and s.escalation_card is not null
        and (coalesce(s.escalation_card->>'user_id', '') = '') <> guest);
  end loop;
  return array_to_json(ended);
end $$;
