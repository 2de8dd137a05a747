import { findReferences } from '../../business/references.ts'
import { type HandoffCard, KEPT_QUESTIONS, type SessionContext } from './types.ts'

/** A platform that tells by itself who its customers are, under names of its own. */
export type NativeChannel = 'wechat' | 'dingtalk'

/** Where a session comes from; migration 0015 says what each is trusted with. */
export type Origin = 'given' | 'made' | NativeChannel

/** Who speaks, as far as a request says. */
export interface Speaker {
  /** Empty: nobody was named. */
  userId: string
  /** The name is the platform's and not the shop's. */
  door?: NativeChannel | undefined
}

/**
 * What tells who speaks in a session that belongs to a customer. `made`: the `user_id`, or the session's id where we made
 * it for a customer who was named with the first message. `strict`: the `user_id` alone.
 */
export type SessionIdentity = 'made' | 'strict'

/** @param isNew the session has no id yet */
export function originOf({ userId, door }: Speaker, isNew: boolean): Origin {
  return door ?? (isNew && userId !== '' ? 'made' : 'given')
}

/**
 * The context of somebody who may be anyone, in a session that belongs to a customer. What the customer asked of the
 * knowledge base stays a subject to follow up, as far as it names nothing of theirs.
 */
export function contextOfGuest(
  own: SessionContext,
  customersQuestions: readonly string[],
  isPersonal: (text: string) => boolean,
): SessionContext {
  const subjects = customersQuestions.filter((text) => !isPersonal(text) && findReferences(text).length === 0)
  return { ...own, questions: [...new Set([...subjects, ...(own.questions ?? [])])].slice(-KEPT_QUESTIONS) }
}

/** What those are told of a call for a person who did not make it: that there is one. */
export function withheldCard({ session_id, channel, priority, created_at, entities }: HandoffCard): HandoffCard {
  return {
    session_id,
    channel,
    priority,
    created_at,
    user_id: '',
    reason: 'customer_request',
    intent: 'unknown',
    entities: Object.fromEntries(Object.keys(entities).map((name) => [name, []])),
    ...{ reason_detail: '', customer_request: '', suggested_reply: '' },
    ...{ summary: [], open_questions: [], attempted_answers: [], sources: [] },
    ...{ emotion_score: 0, failed_attempts: 0, turn_count: 0 },
  }
}
