-- A trace is written with every turn and read once in a while: what is not looked into is kept as the text that it came
-- as, and what nobody looks traces up by has no index. Together that took half of the time of storing one.
alter table traces drop constraint traces_pkey;
alter table traces drop constraint traces_trace_id_key;
alter table traces
  add primary key (trace_id),
  alter column steps type json,
  alter column sub_tasks type json;
