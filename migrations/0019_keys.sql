-- When each named key was last used, to see which ones nobody needs any more. Keys themselves are in API_KEYS_FILE.
create table api_key_uses (
  key_id text primary key,
  last_used_at timestamptz not null
);
