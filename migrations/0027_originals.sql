-- Files as they were uploaded, with the version that was read from each. Most formats are packed already.
create table knowledge_originals (
  doc_id text not null,
  version_no integer not null,
  file_name text not null,
  size bigint not null,
  bytes bytea not null,
  stored_at timestamptz not null default now(),
  primary key (doc_id, version_no),
  foreign key (doc_id, version_no) references knowledge_versions on delete cascade
);
alter table knowledge_originals alter column bytes set storage external;
