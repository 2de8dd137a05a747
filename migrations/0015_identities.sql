-- Who speaks in a session, which customers of channels are which customers of the shop, and which signatures were used.

-- `given`: its id was chosen by a caller, so that naming it proves nothing. `made`: we made its id, which is random, for a
-- customer who was named with the first message, so that whoever names it speaks for that customer. `wechat`, `dingtalk`:
-- opened at that platform's callback for somebody who is no customer of the shop's as far as we know; `user_id` is then
-- the platform's name for them after its own prefix, and no name that the shop gives is the same.
-- Sessions from before count as `given`: their customers are asked for by name once more.
alter table chat_sessions add column origin text not null default 'given'
  check (origin in ('given', 'made', 'wechat', 'dingtalk'));
-- When a customer was first named in a session that others had used without a name.
alter table chat_sessions add column adopted_at timestamptz;

create function is_native(origin text) returns boolean language sql immutable as
$$ select origin in ('wechat', 'dingtalk') $$;

-- As whom a session is used by somebody who names `named` ('' for nobody) at `door` (an origin). `own`: as its customer, or
-- of a session that has none. `guest`: as somebody who may be anyone. `other`: as another customer.
create function voice_in(owner text, origin text, named text, door text, trusts_made boolean) returns text
language sql immutable as $$
  select case
    when owner = '' then 'own'
    when named = '' then case when trusts_made and origin = 'made' then 'own' else 'guest' end
    when named = owner and is_native(origin) = is_native(door) then 'own'
    else 'other'
  end
$$;

-- The person who has the session, or is waited for, was called by somebody who was not known to be its customer, and
-- that customer has not come since.
create function called_by_guest(s chat_sessions) returns boolean language sql immutable as $$
  select s.user_id <> '' and s.escalation_card is not null and coalesce(s.escalation_card->>'user_id', '') = ''
    and coalesce(s.adopted_at < s.escalated_at, true)
$$;

-- As in 0012. What guests say is marked, and seen by guests alone; so is what was said before somebody was named.
-- The context, failures and intent of guests stand beside the customer's own, under `guest`.
create or replace function begin_chat_turns(turns jsonb, lease_seconds integer, history_limit integer) returns text
language plpgsql as $$
declare
  turn jsonb;
  s chat_sessions;
  guest boolean;
  aside jsonb;
  history json;
  begun json[] := '{}';
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
  return array_to_json(begun);
end $$;

-- As in 0012. `isGuest` says whose turn it was; `isOthersCall`, that the card is not about whoever had it.
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
      where session_id = turn->>'sessionId' returning * into s;
    else
      update chat_sessions set turn_count = turn_count + 1, failed_attempts = (turn->>'failedAttempts')::integer,
        emotion_score = (turn->>'emotionScore')::double precision, intent = turn->>'intent',
        context = (turn->'context') || case when context ? 'guest' then jsonb_build_object('guest', context->'guest')
          else '{}' end,
        updated_at = now(), turn_owner = null, turn_expires_at = null
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

-- Customers of WeChat and DingTalk who are known to be customers of the shop.
create table channel_links (
  channel text not null check (channel in ('wechat', 'dingtalk')),
  channel_user_id text not null,
  user_id text not null,
  created_at timestamptz not null default now(),
  primary key (channel, channel_user_id)
);
create index channel_links_user on channel_links (user_id);

-- Signatures of callbacks, each of which serves one message and its repeats; kept for as long as they would be taken.
-- Both are digests.
create table callback_signatures (
  signature text primary key,
  message text not null,
  created_at timestamptz not null default now()
);
create index callback_signatures_age on callback_signatures (created_at);

-- Conversations of the platforms go on, under names that the shop cannot give; but not where a customer of the shop has
-- the name, whose conversation this may be.
update chat_sessions s set user_id = s.channel || ':' || s.user_id, origin = s.channel
from gateway_addresses a
where a.session_id = s.session_id and s.channel in ('wechat', 'dingtalk') and a.channel = s.channel and s.user_id <> ''
  and (a.address->>'openId' = s.user_id or s.session_id like 'dingtalk:%')
  and not exists (select from business_customers c where c.user_id = s.user_id)
  and not exists (select from business_orders o where o.user_id = s.user_id);
