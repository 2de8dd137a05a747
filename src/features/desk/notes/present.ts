import { toSnakeCase } from '../../../kernel/snake-case.ts'
import type { Note } from './types.ts'

export function presentNote({ noteId, sessionId, author, content, mentions, createdAt, updatedAt }: Note) {
  return toSnakeCase({ noteId, sessionId, author, content, mentions, createdAt, updatedAt })
}
