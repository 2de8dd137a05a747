-- Work of which one run at a time is allowed over all replicas. A row is a lease: who stops renewing it has lost it.
create table exclusive_jobs (
  job text primary key,
  owner text not null,
  -- What is being worked on, for people.
  subject text not null,
  done integer not null default 0,
  total integer not null default 0,
  started_at timestamptz not null default now(),
  expires_at timestamptz not null
);

-- `json` keeps the order of the fields as they were reported.
create table evaluation_reports (
  report_id text primary key,
  ordinal bigint generated always as identity unique,
  testset text not null,
  -- Everything but the cases.
  summary json not null,
  cases json not null,
  created_at timestamptz not null default now()
);

-- Sets of questions that were uploaded, or that grow with what people approve.
create table evaluation_testsets (
  name text primary key,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table evaluation_cases (
  case_id bigint generated always as identity primary key,
  testset text not null references evaluation_testsets on delete cascade,
  query text not null,
  category text not null,
  content json not null
);
create index evaluation_cases_of_testset on evaluation_cases (testset, case_id);

-- What automatic tuning tried, found and did, newest last.
create table tuner_searches (
  search_id text primary key,
  ordinal bigint generated always as identity unique,
  report json not null,
  created_at timestamptz not null default now()
);
