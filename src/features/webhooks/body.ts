import type { WebhookEvent } from './types.ts'

/** The body that a receiver gets: the same with every attempt. */
export function bodyOf({ eventId, seq, type, data, createdAt }: WebhookEvent): string {
  return JSON.stringify({ id: eventId, type, created_at: createdAt.toISOString(), sequence: seq, data })
}
