-- Tuner parameters: the one row in force, and every version that was.
create table tuner_state (
  only_row boolean primary key default true check (only_row),
  version integer not null default 1,
  params jsonb not null default '{}',
  updated_at timestamptz not null default now()
);
insert into tuner_state default values;

create table tuner_history (
  version integer primary key,
  action text not null check (action in ('update', 'reset', 'auto')),
  -- What was changed, from and to.
  changes jsonb not null,
  params jsonb not null,
  created_at timestamptz not null default now()
);
