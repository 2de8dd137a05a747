import { toSnakeCase } from '../../kernel/snake-case.ts'
import { maskText } from '../../privacy/index.ts'
import type { Rating } from './types.ts'

export function presentRating({ sessionId, score, comment, agentId, createdAt, updatedAt }: Rating) {
  return toSnakeCase({ sessionId, score, comment: comment && maskText(comment), agentId, createdAt, updatedAt })
}
