-- What traces are looked up by: the reply that a turn stored, who took part (null: the turn is of an earlier release,
-- and its steps say it), and what was asked.
alter table traces
  add column message_id text,
  add column agents jsonb,
  add column question text not null default '';
