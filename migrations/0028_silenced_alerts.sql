-- People who look after an alert, and those that nobody needs to hear of for a while.
alter table alerts
  add column acknowledged_at timestamptz,
  add column acknowledged_by text,
  add column acknowledge_note text;

-- By what is wrong, not by alert: trouble that comes and goes stays silenced.
create table alert_silences (
  fingerprint text primary key,
  until timestamptz not null,
  silenced_at timestamptz not null,
  silenced_by text,
  note text
);
