import { dictionary } from '../../shared/words.ts'

/** Names of the tuner's parameters. */
export const nameOfParam = dictionary(
  {
    vector_weight: 'Weight of meaning',
    lexical_top_k: 'Candidates by words',
    vector_top_k: 'Candidates by meaning',
    rerank_top_k: 'Passages kept',
    rrf_k: 'Evenness of fusion',
    min_score: 'Lowest score kept',
    direct_answer_threshold: 'Answers from score',
    clarify_threshold: 'Offers from score',
    title_weight: 'Weight of titles',
    recency_half_life_days: 'Half-life in days',
    max_context_tokens: 'Tokens for the model',
    escalate_after_failures: 'Calls a person after failures',
    anger_threshold: 'Calls a person at mood',
    cache_ttl_seconds: 'Cache: seconds kept',
    cache_max_entries: 'Cache: replies kept',
  },
  {
    vector_weight: '语义权重',
    lexical_top_k: '词语候选数',
    vector_top_k: '语义候选数',
    rerank_top_k: '保留段落数',
    rrf_k: '融合平滑度',
    min_score: '最低保留得分',
    direct_answer_threshold: '直接回答阈值',
    clarify_threshold: '候选阈值',
    title_weight: '标题权重',
    recency_half_life_days: '时效半衰期（天）',
    max_context_tokens: '模型上下文令牌数',
    escalate_after_failures: '失败几次后转人工',
    anger_threshold: '转人工情绪阈值',
    cache_ttl_seconds: '缓存时长（秒）',
    cache_max_entries: '缓存条数',
  },
)
