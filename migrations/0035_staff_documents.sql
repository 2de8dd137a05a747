-- Documents for people who answer customers alone: their chunks are in a collection of their own, so that no search of a
-- customer's can find one.
alter table knowledge_documents
  add column audience text not null default 'customers' check (audience in ('customers', 'staff'));
alter table knowledge_chunks drop constraint knowledge_chunks_collection_check;
alter table knowledge_chunks add constraint knowledge_chunks_collection_check
  check (collection in ('main', 'staff', 'canary'));
