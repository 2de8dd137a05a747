-- The program lists the platforms that customers write from; the database need not list them once more, or each new one
-- would take a migration.
alter table chat_sessions drop constraint chat_sessions_origin_check;
alter table channel_links drop constraint channel_links_channel_check;

-- As in 0015: every origin but these two is a platform's, which names its customers by itself.
create or replace function is_native(origin text) returns boolean language sql immutable as
$$ select origin not in ('given', 'made') $$;
