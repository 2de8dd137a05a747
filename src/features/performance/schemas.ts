import { Type } from 'typebox'

export const MetricsBody = Type.Object({
  metrics: Type.Object({
    cache_hit_rate: Type.Number({ description: '0 to 1, over the window; 0 while nothing was looked up' }),
    concurrent_requests: Type.Integer({
      description: 'Under way on the replica that answers, without requests to the open groups and event streams',
    }),
    model_router_stats: Type.Record(Type.String(), Type.Integer(), {
      description: 'Calls by model tier over the window; `extractive`: replies composed without a model',
      examples: [{ extractive: 12, light: 4, standard: 9, strong: 1 }],
    }),
    avg_response_ms: Type.Number({
      description: 'Of the chat and gateway requests that were answered in the window; 0 while there were none',
    }),
    window_seconds: Type.Integer({ description: 'How far the metrics look back', examples: [3600] }),
  }),
})

export const CacheStatsBody = Type.Object({
  hits: Type.Integer({ description: 'Of all replicas since the first start, as misses and evictions are' }),
  misses: Type.Integer(),
  hit_rate: Type.Number({ description: '0 to 1; 0 while nothing was looked up' }),
  entries: Type.Integer({ description: 'Replies that the replica which answers holds' }),
  capacity: Type.Integer(),
  evictions: Type.Integer({ description: 'Entries that newer ones pushed out' }),
  ttl_seconds: Type.Integer({ description: '0: the cache is off' }),
})

export const InvalidateBody = Type.Object({
  success: Type.Boolean({ examples: [true] }),
  cleared: Type.Integer({ description: 'Replies dropped by the replica that answers; all others drop theirs too' }),
  message: Type.String({ examples: ['3 cached replies were dropped'] }),
})
