-- People at the desk and whether they are there, as they said last. Somebody of whom nothing was heard for a minute is not.
create table desk_presence (
  name text primary key,
  state text not null check (state in ('online', 'away', 'offline')),
  seen_at timestamptz not null default now()
);
