-- Mail as a channel.

-- How far a folder was read. Numbers of messages hold for as long as `uid_validity` stays.
create table mail_folders (
  folder text primary key,
  uid_validity text not null,
  last_uid bigint not null
);

-- Messages that were read or sent, by digests of their ids: what an answer belongs to, and what was read before.
create table mail_messages (
  message_digest text primary key,
  session_id text not null references chat_sessions on delete cascade,
  -- Of what was sent: the message here, for when it comes back.
  sent_message_id text,
  created_at timestamptz not null default now()
);
create index mail_messages_session on mail_messages (session_id);

-- Answers that the assistant gave to one address lately: more than a few an hour are given to a machine.
create table mail_answers (
  address text not null,
  answered_at timestamptz not null default now()
);
create index mail_answers_address on mail_answers (address, answered_at);
create index mail_answers_age on mail_answers (answered_at);
