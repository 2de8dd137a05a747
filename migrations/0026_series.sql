-- Numbers over time: sums of minutes, of which those of hours and days are made. What they were counted from goes
-- earlier, and no row says of whom it tells.
create table series_points (
  -- Length of the bucket that begins at `at`: a minute, an hour, a day.
  step_seconds integer not null check (step_seconds in (60, 3600, 86400)),
  metric text not null,
  at timestamptz not null,
  -- Which range of values was counted, on a logarithmic scale; 0 where nobody asks for percentiles.
  bin smallint not null,
  count bigint not null,
  total double precision not null,
  primary key (step_seconds, metric, at, bin)
);
create index series_points_age on series_points (at, step_seconds);

-- What people said and when sessions changed hands: few of all messages.
create index chat_messages_of_people on chat_messages (created_at) where role in ('agent', 'system');
