-- Where people can read a document for themselves.
alter table knowledge_versions add column url text;
