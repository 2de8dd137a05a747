-- By what an experiment is judged, when it is meant to end, and who or what ended it.
alter table experiments
  add column judged_by text check (judged_by in ('rating', 'feedback', 'handoff', 'resolved', 'evaluation')),
  add column ends_at timestamptz,
  add column sessions_per_variant integer,
  add column end_reason text check (end_reason in ('by_hand', 'time', 'sessions')),
  add column ended_by text;
update experiments set end_reason = 'by_hand' where ended_at is not null;
update experiments set judged_by = 'handoff' where is_guarded;
