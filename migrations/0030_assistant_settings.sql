-- What people set of the assistant while it runs: the one row in force, and every version that was. Only what differs
-- from the environment is stored.
create table assistant_settings (
  only_row boolean primary key default true check (only_row),
  version integer not null default 1,
  chosen jsonb not null default '{}',
  updated_at timestamptz not null default now(),
  updated_by text
);
insert into assistant_settings default values;

create table assistant_settings_history (
  version integer primary key,
  action text not null check (action in ('update', 'undo')),
  -- What was changed, from and to.
  changes jsonb not null,
  chosen jsonb not null,
  created_at timestamptz not null default now(),
  created_by text
);
