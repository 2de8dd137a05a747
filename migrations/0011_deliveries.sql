-- What became of the messages of a session.
create index gateway_outbox_session on gateway_outbox (session_id);
