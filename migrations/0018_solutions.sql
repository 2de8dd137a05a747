-- What became of a solution when it was reviewed: who did, what of a customer's was masked, and what there was to warn of.
alter table human_solutions
  add column reviewer text,
  add column masked jsonb not null default '[]',
  add column warnings jsonb not null default '[]';
