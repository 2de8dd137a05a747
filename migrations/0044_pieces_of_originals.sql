-- Files in pieces: written as one value, a large one takes ten times its size in memory, which the embedded database keeps.
create table knowledge_original_pieces (
  doc_id text not null,
  version_no integer not null,
  piece integer not null,
  bytes bytea not null,
  primary key (doc_id, version_no, piece),
  foreign key (doc_id, version_no) references knowledge_originals on delete cascade
);
alter table knowledge_original_pieces alter column bytes set storage external;
insert into knowledge_original_pieces (doc_id, version_no, piece, bytes)
select o.doc_id, o.version_no, p::integer, substring(o.bytes from (p * 1048576 + 1)::integer for 1048576)
from knowledge_originals o, generate_series(0, (greatest(o.size, 1) - 1) / 1048576) p;
alter table knowledge_originals drop column bytes;
