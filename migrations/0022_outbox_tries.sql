-- The tries of a minute are counted, also those of texts that were given up: platforms count what they refuse as well.
drop index gateway_outbox_sent;
create index gateway_outbox_finished on gateway_outbox (lane, finished_at) where state <> 'waiting';
