-- Groups of people, and which conversations are theirs.
create table desk_teams (
  team_id text primary key,
  name text not null,
  -- Names of people.
  members text[] not null,
  -- Conversations that are theirs: on these channels, in these languages; empty: on all, in all.
  channels text[] not null default '{}',
  languages text[] not null default '{}',
  created_at timestamptz not null default now()
);
create unique index desk_teams_name on desk_teams (lower(name));

-- How conversations find their people, and how long they may wait. No row: people take them by themselves.
create table desk_assignment (
  only_row boolean primary key default true check (only_row),
  settings jsonb not null,
  updated_by text,
  updated_at timestamptz not null default now()
);
