import type { TurnState } from './state.ts'

/** Words for a call of a person outside the working hours; null: people are there, and the usual ones are right. */
export function callText({ settings, understanding }: Pick<TurnState, 'settings' | 'understanding'>): string | null {
  return settings.closed?.[understanding.replyLanguage === 'zh' ? 'zh' : 'en'] ?? null
}
