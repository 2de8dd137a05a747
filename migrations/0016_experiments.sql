-- An experiment that changes replies is guarded: only who has the key makes, replaces, ends or removes it. The contract
-- lets anybody make a plain experiment of any name, so that one of each kind may have the same name, and neither touches
-- the other.
alter table experiments
  add column is_guarded boolean generated always as (variant_params <> '{}'::jsonb) stored,
  add column ended_at timestamptz,
  -- Sessions that ended until then are counted.
  add column settled_to timestamptz not null default now();
alter table experiments drop constraint experiments_pkey;
alter table experiments add primary key (name, is_guarded);

-- Whom an experiment measured, as hashes: the smallest of them, from which the number of all is told.
create table experiment_units (
  experiment_id text not null references experiments (experiment_id) on delete cascade,
  variant text not null,
  unit bigint not null,
  primary key (experiment_id, variant, unit)
);

-- Random texts that all replicas share, such as what pseudonyms are made with.
create table shared_secrets (
  name text primary key,
  secret text not null
);

create index chat_feedback_session on chat_feedback (session_id);
