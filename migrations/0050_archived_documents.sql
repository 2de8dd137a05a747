-- A document that is archived is served to nobody, and comes back as it was.
alter table knowledge_documents drop constraint knowledge_documents_status_check;
alter table knowledge_documents add constraint knowledge_documents_status_check
  check (status in ('active', 'archived', 'deleted'));

-- As its text shows: zh, en, ja, ko, ru, ar, th; null where it shows none.
alter table knowledge_versions add column language text;
update knowledge_versions v set language = case
    when t.sample ~ '[ぁ-ヿ]' then 'ja'
    when t.sample ~ '[가-힣]' then 'ko'
    when t.sample ~ '[а-я]' then 'ru'
    when length(regexp_replace(t.sample, '[^一-龥]', '', 'g')) * 6 >= length(regexp_replace(t.sample, '[^A-Za-z]', '', 'g'))
      and t.sample ~ '[一-龥]' then 'zh'
    when t.sample ~ '[A-Za-z]' then 'en'
  end
  from (select doc_id, version_no, string_agg(left(content, 500), ' ' order by ordinal) as sample
    from knowledge_chunks where ordinal < 5 group by doc_id, version_no) t
  where t.doc_id = v.doc_id and t.version_no = v.version_no;

-- Pairs of passages that a person found to be right as they are, however alike or at odds. Known by their texts, so
-- that they stay so when documents are loaded again, and are looked at anew when one says something else.
create table knowledge_accepted_pairs (
  text_a text not null,
  text_b text not null,
  accepted_by text,
  accepted_at timestamptz not null default now(),
  primary key (text_a, text_b)
);
