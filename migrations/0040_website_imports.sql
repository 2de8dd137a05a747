-- Pages of websites as they were when they were last taken in, so that those that stayed the same are left alone.
create table website_pages (
  url text primary key,
  doc_id text not null,
  etag text,
  last_modified text,
  -- Of what can be read: scripts and tokens differ each time.
  text_hash text not null,
  -- Where it leads to, for walks over a page that the server says is unchanged.
  links jsonb not null,
  seen_at timestamptz not null default now()
);

create table website_imports (
  report_id text primary key,
  ordinal bigint generated always as identity unique,
  url text not null,
  summary jsonb not null,
  created_at timestamptz not null default now()
);
