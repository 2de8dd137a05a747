import { AppError } from '../../kernel/errors.ts'
import { findReferences } from '../../privacy/index.ts'
import { type ChannelName, KEPT_QUESTIONS, type SessionContext } from './types.ts'

/**
 * Where a session comes from; migration 0015 says what each is trusted with. A channel: a platform that tells by itself
 * who its customers are, under names of its own.
 */
export type Origin = 'given' | 'made' | ChannelName

/** Who speaks, as far as a request says. */
export interface Speaker {
  /** Empty: nobody was named. */
  userId: string
  /** The platform that gave the name; undefined: the shop did. */
  platform?: ChannelName | undefined
}

/**
 * The word that is taken for who speaks in a session that belongs to a customer. `made`: the `user_id`, or the session's id where we made
 * it for a customer who was named with the first message. `strict`: the `user_id` alone.
 */
export type SessionIdentity = 'made' | 'strict'

/**
 * Under this name a platform's own callback stores its messages: no channel has it, so that nobody with the key can ask for
 * their answers.
 */
export function callbackOf(channel: ChannelName): string {
  return `${channel} callback`
}

/** @param isNew the session has no id yet */
export function originOf({ userId, platform }: Speaker, isNew: boolean): Origin {
  return platform ?? (isNew && userId !== '' ? 'made' : 'given')
}

/**
 * The context of somebody who may be anyone, in a session that belongs to a customer. The customer's questions to the
 * knowledge base stay subjects to follow up, as far as they name nothing of theirs.
 */
export function contextOfGuest(
  own: SessionContext,
  customersQuestions: readonly string[],
  isPersonal: (text: string) => boolean,
): SessionContext {
  const subjects = customersQuestions.filter((text) => !isPersonal(text) && findReferences(text).length === 0)
  return { ...own, questions: [...new Set([...subjects, ...(own.questions ?? [])])].slice(-KEPT_QUESTIONS) }
}

/** Another customer is never let into a session. */
export function otherUser(): AppError {
  return new AppError('conflict', 'session_user', 'session_id: this session belongs to another user')
}
