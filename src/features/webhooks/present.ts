import { toSnakeCase } from '../../kernel/snake-case.ts'
import { bodyOf } from './body.ts'
import type { Attempt, Delivery, StoredWebhook, Webhook } from './types.ts'

/** Without the secrets. */
export function presentWebhook(webhook: Webhook | StoredWebhook) {
  const { webhookId, url, events, description, isActive, failures, failingSince, pausedUntil } = webhook
  const { disabledReason, createdAt, updatedAt } = webhook
  const until = 'previousSecretUntil' in webhook ? webhook.previousSecretUntil : null
  const shown = { webhookId, url, events, description, isActive, failures, failingSince, pausedUntil, disabledReason }
  return toSnakeCase({ ...shown, previousSecretUntil: until, createdAt, updatedAt })
}

export function presentDelivery(delivery: Delivery) {
  const { deliveryId, eventId, type, state, attempts, nextAttemptAt, finishedAt, createdAt } = delivery
  const { lastStatus, lastError } = delivery
  const next = state === 'waiting' ? nextAttemptAt : null
  const shown = { deliveryId, eventId, type, state, attempts, nextAttemptAt: next, finishedAt, createdAt }
  return toSnakeCase({ ...shown, lastStatus, lastError })
}

export function presentDetail(
  delivery: Delivery & { seq: number; data: object; toldAt: Date },
  attempts: readonly Attempt[],
) {
  return {
    ...presentDelivery(delivery),
    body: bodyOf({ ...delivery, createdAt: delivery.toldAt }),
    tries: toSnakeCase(attempts),
  }
}
