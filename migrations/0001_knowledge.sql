-- Documents, their versions and chunks. A chunk is searchable while `collection` names where; null: an older version.
create table knowledge_documents (
  doc_id text primary key,
  source text not null,
  registered boolean not null,
  status text not null check (status in ('active', 'deleted')),
  last_version integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index knowledge_documents_listing on knowledge_documents (updated_at desc, doc_id) where registered;

create table knowledge_versions (
  doc_id text not null references knowledge_documents on delete cascade,
  version_no integer not null,
  doc_hash text not null,
  status text not null check (status in ('active', 'superseded', 'rolled_back', 'canary')),
  chunk_count integer not null,
  knowledge_type text not null,
  product_category text not null,
  applicable_version text not null,
  published_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (doc_id, version_no)
);
create unique index knowledge_versions_one_active on knowledge_versions (doc_id) where status = 'active';

create table knowledge_chunks (
  chunk_id bigint generated always as identity primary key,
  doc_id text not null,
  version_no integer not null,
  ordinal integer not null,
  collection text check (collection in ('main', 'canary')),
  kind text not null,
  title text not null,
  heading_path jsonb not null,
  question text,
  content text not null,
  page integer,
  metadata jsonb not null,
  -- Terms of our analyser joined by blanks, and the features that ranking reads; made anew when the analyser changes.
  search_text text not null,
  features bytea not null,
  foreign key (doc_id, version_no) references knowledge_versions on delete cascade
);
create index knowledge_chunks_document on knowledge_chunks (doc_id, version_no, ordinal);
create index knowledge_chunks_collection on knowledge_chunks (collection, chunk_id) where collection is not null;

-- One generation per embedder: while a new one is built, the old one serves. Each has its own HNSW index (see queries).
create table knowledge_embedding_generations (
  generation integer generated always as identity primary key,
  embedder_id text not null,
  dimensions integer not null,
  status text not null check (status in ('building', 'serving', 'retired')),
  created_at timestamptz not null default now()
);
create unique index knowledge_embedding_generations_serving on knowledge_embedding_generations (status) where status = 'serving';

create table knowledge_embeddings (
  chunk_id bigint not null references knowledge_chunks on delete cascade,
  generation integer not null references knowledge_embedding_generations,
  collection text,
  embedding vector not null,
  primary key (chunk_id, generation)
);

-- One row: `revision` grows with every change of what is searchable.
create table knowledge_state (
  only_row boolean primary key default true check (only_row),
  revision bigint not null default 0,
  index_fingerprint text
);
insert into knowledge_state default values;
