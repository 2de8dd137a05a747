-- Embedded business records, and messages between channels and conversations.

create table business_customers (
  user_id text primary key,
  -- Not jsonb: an item's options are told in the order in which the shop gave them.
  record json not null,
  -- Grows with every write, for compare-and-set.
  revision integer not null,
  updated_at timestamptz not null default now()
);

create table business_orders (
  -- The number as it is compared: upper case, without `#` and blanks.
  order_key text primary key,
  order_id text not null,
  user_id text,
  position bigint generated always as identity,
  record json not null,
  revision integer not null,
  updated_at timestamptz not null default now()
);
create index business_orders_user on business_orders (user_id, position);

-- Every change that was begun, at the embedded records or at another system, so that none is carried out twice.
create table business_changes (
  idempotency_key text primary key,
  connector text not null,
  kind text not null,
  user_id text not null,
  order_id text,
  change jsonb not null,
  state text not null check (state in ('started', 'done')),
  created_at timestamptz not null default now(),
  finished_at timestamptz
);

-- Messages that came in with an id of their own: each is answered once, on whichever replica.
create table gateway_messages (
  channel text not null,
  user_id text not null,
  message_id text not null,
  state text not null check (state in ('processing', 'done')),
  owner text not null,
  -- Whoever does not finish by then has lost its process.
  lease_expires_at timestamptz not null,
  result jsonb,
  -- How the answer goes out: to a request that waits for it, or by itself. Null: not settled.
  delivery text check (delivery in ('in_place', 'pushed')),
  created_at timestamptz not null default now(),
  primary key (channel, user_id, message_id)
);
create index gateway_messages_age on gateway_messages (created_at);

-- Where messages of people reach the customer of a session outside a request.
create table gateway_addresses (
  session_id text primary key,
  channel text not null,
  -- Messages of one lane follow each other: a customer of WeChat, a robot of DingTalk.
  lane text not null,
  address jsonb not null,
  updated_at timestamptz not null default now()
);

create table gateway_outbox (
  delivery_id bigint generated always as identity primary key,
  -- The id of what is delivered, so that it is queued once.
  delivery_key text not null unique,
  session_id text not null,
  channel text not null,
  lane text not null,
  content text not null,
  state text not null check (state in ('waiting', 'sent', 'failed')),
  attempts integer not null default 0,
  error text,
  next_attempt_at timestamptz not null default now(),
  leased_until timestamptz,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index gateway_outbox_waiting on gateway_outbox (lane, delivery_id) where state = 'waiting';
create index gateway_outbox_sent on gateway_outbox (lane, finished_at) where state = 'sent';
create index gateway_outbox_age on gateway_outbox (created_at);
