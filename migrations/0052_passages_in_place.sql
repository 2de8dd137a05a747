-- A passage with its terms takes 2 to 4 kB. Above 2 kB Postgres compresses its longest columns, which takes as long as
-- storing it twice over, and the table does not become smaller by it.
alter table knowledge_chunks set (toast_tuple_target = 8160);
