-- Begins and ends turns of different sessions, many in one call. In a loop and not as one statement over all of them:
-- the planner, which cannot know how few they are, would read the whole table of sessions to join it.

-- Makes sessions that are new, takes the turn where nobody has it, and stores what the customer said. `turns` is an array
-- of {sessionId, userId, channel, owner, messageId, content}; what comes back is an array of {session, history}, without
-- the turns that somebody else has and without sessions of another user. The message takes its number while its
-- session is locked, so that the messages of a session are numbered in the order in which they become visible. Each
-- statement of a function sees what was committed before it, so the history is the one of the moment of the lock.
create function begin_chat_turns(turns jsonb, lease_seconds integer, history_limit integer) returns text
language plpgsql as $$
declare
  turn jsonb;
  s chat_sessions;
  history json;
  begun json[] := '{}';
begin
  -- In one order everywhere, so that two replicas never wait for each other's sessions.
  for turn in select value from jsonb_array_elements(turns) order by value->>'sessionId' loop
    insert into chat_sessions as known (session_id, user_id, channel, turn_owner, turn_expires_at)
    values (turn->>'sessionId', turn->>'userId', turn->>'channel', turn->>'owner',
      now() + make_interval(secs => lease_seconds))
    on conflict (session_id) do update set turn_owner = excluded.turn_owner,
      turn_expires_at = excluded.turn_expires_at,
      user_id = case when known.user_id = '' then excluded.user_id else known.user_id end
    where (known.turn_owner is null or known.turn_expires_at < now())
      and (excluded.user_id = '' or known.user_id = '' or known.user_id = excluded.user_id)
    returning * into s;
    continue when not found;

    insert into chat_messages (message_id, session_id, role, content)
    values (turn->>'messageId', s.session_id, 'user', turn->>'content');

    select json_agg(json_build_object('seq', m.seq, 'messageId', m.message_id, 'role', m.role, 'content', m.content,
      'intent', m.intent, 'sources', m.sources, 'details', m.details, 'createdAt', m.created_at) order by m.seq)
    into history
    from (select * from chat_messages where session_id = s.session_id order by seq desc limit history_limit) m;

    begun := begun || json_build_object('session', json_build_object('sessionId', s.session_id, 'userId', s.user_id,
      'channel', s.channel, 'turnCount', s.turn_count, 'failedAttempts', s.failed_attempts,
      'emotionScore', s.emotion_score, 'intent', s.intent, 'context', s.context, 'agentStatus', s.agent_status,
      'createdAt', s.created_at, 'updatedAt', s.updated_at), 'history', history);
  end loop;
  return array_to_json(begun);
end $$;

-- Stores what turns changed, gives their leases back, and stores their replies, but not where a person has taken the
-- session meanwhile, nor a reply without text. `turns` is an array of {sessionId, failedAttempts, emotionScore, intent,
-- context, reply: {messageId, content, sources, details}}; what comes back is an array of the sessions as they then are.
create function end_chat_turns(turns jsonb) returns text
language plpgsql as $$
declare
  turn jsonb;
  reply jsonb;
  s chat_sessions;
  ended json[] := '{}';
begin
  for turn in select value from jsonb_array_elements(turns) order by value->>'sessionId' loop
    update chat_sessions set turn_count = turn_count + 1, failed_attempts = (turn->>'failedAttempts')::integer,
      emotion_score = (turn->>'emotionScore')::double precision, intent = turn->>'intent', context = turn->'context',
      updated_at = now(), turn_owner = null, turn_expires_at = null
    where session_id = turn->>'sessionId' returning * into s;
    continue when not found;

    reply := turn->'reply';
    if s.agent_status is distinct from 'assigned' and reply->>'content' <> '' then
      insert into chat_messages (message_id, session_id, role, content, intent, sources, details)
      values (reply->>'messageId', s.session_id, 'assistant', reply->>'content', s.intent, reply->'sources',
        reply->'details');
    end if;

    ended := ended || json_build_object('sessionId', s.session_id, 'turnCount', s.turn_count,
      'failedAttempts', s.failed_attempts, 'agentStatus', s.agent_status, 'escalationCard', s.escalation_card);
  end loop;
  return array_to_json(ended);
end $$;
