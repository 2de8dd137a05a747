-- Built-in vectors are part of the features of a passage; they were stored a second time and read by nobody.
delete from knowledge_embeddings where generation in (
  select generation from knowledge_embedding_generations where starts_with(embedder_id, 'built-in-'));
