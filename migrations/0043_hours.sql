-- When people are there. No row: nobody has said, and there are no hours.
create table desk_hours (
  only_row boolean primary key default true check (only_row),
  hours jsonb not null,
  updated_by text,
  updated_at timestamptz not null default now()
);
