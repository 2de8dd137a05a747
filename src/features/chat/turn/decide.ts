import type { Clock } from '../../../platform/clock.ts'
import { maskRecord, maskText } from '../../../privacy/index.ts'
import { buildCard, decideEscalation, type EscalationCard, type EscalationDecision } from '../../handoff/index.ts'
import type { SessionContext } from '../../sessions/index.ts'
import type { TaskResult } from '../agents/task.ts'
import type { Understand } from '../understanding/understanding.ts'
import type { TurnState } from './state.ts'

/** Whether this turn calls a person, and why. */
export function decideHandoff({
  understanding,
  results,
  failedAttempts,
  session,
  settings,
}: Pick<
  TurnState,
  'understanding' | 'results' | 'failedAttempts' | 'session' | 'settings'
>): EscalationDecision | null {
  const { replyLanguage, emotionScore, sensitiveTopic } = understanding
  const failed = results.find(({ business }) => business?.outcome === 'failed')
  const isLater = putsOff(session.context, results)
  // Small talk after questions that were not answered calls nobody.
  const hasFailed = failedAttempts > session.failedAttempts
  return decideEscalation({
    language: replyLanguage,
    // A part that is answered by calling a person calls one.
    wantsHuman: understanding.wantsHuman || results.some(({ agent }) => agent === 'escalation'),
    emotionScore: isUpset({ understanding, settings }) === 'upset' && isLater ? 0 : emotionScore,
    sensitiveTopic,
    failedAttempts: isLater || !hasFailed ? 0 : failedAttempts,
    knowledgeFound: results.some(({ sources }) => sources.length > 0),
    restriction: results.find(({ business }) => business?.restriction)?.business?.restriction ?? null,
    toolFailure: failed ? { system: failed.business?.scene ?? 'business' } : null,
    thresholds: settings.escalation,
  })
}

/**
 * Settles what the answers of a turn mean for a handoff: how often in a row nothing sure was said, and whether a person is
 * called. @param isOpen a model is still to judge the passages: what was said in vain is counted when it has
 */
export function decide(
  { understand, clock }: { understand: Understand; clock: Clock },
  state: TurnState,
  { isOpen }: { isOpen: boolean },
): void {
  state.failedAttempts = countFailures(state.results, state.session.failedAttempts)
  const decision = decideHandoff(isOpen ? { ...state, failedAttempts: 0 } : state)
  const helpers = { asksForPerson: (text: string) => understand(text).wantsHuman, nowMs: clock.now() }
  state.card = decision && makeCard(decision, state, helpers)
}

/** Upset from the threshold on, furious past the middle between it and -1, where anger is urgent. */
export function isUpset({
  understanding: { emotionScore },
  settings,
}: Pick<TurnState, 'understanding' | 'settings'>): 'upset' | 'furious' | null {
  const { angerThreshold } = settings.escalation
  if (emotionScore >= 0 || emotionScore > angerThreshold) return null
  return emotionScore <= (angerThreshold - 1) / 2 ? 'furious' : 'upset'
}

/**
 * Choices that are given put off the call that unanswered questions, or being upset, would make, once until something is
 * settled.
 */
export function putsOff({ isPutOff }: SessionContext, results: readonly TaskResult[]): boolean {
  return isPutOff !== true && results.some(({ suggestions }) => suggestions.length > 0)
}

/**
 * A settled question ends the run of failures, a turn that found nothing or nothing sure adds to it; small talk and
 * questions back leave it as it is. A part that failed for technical reasons is no failure to answer.
 */
export function countFailures(results: readonly TaskResult[], before: number): number {
  if (results.some(({ confidence }) => confidence === 'sure')) return 0
  const isUnsure = ({ confidence }: TaskResult): boolean => confidence === 'none' || confidence === 'close'
  return results.every(isUnsure) && results.some(({ status }) => status === 'done') ? before + 1 : before
}

/** The card for the person who takes over, from everything said since the last resolution. */
function makeCard(
  decision: EscalationDecision,
  { session, understanding, results, failedAttempts, history }: TurnState,
  helpers: { asksForPerson: (sentence: string) => boolean; nowMs: number },
): EscalationCard {
  const [passage = null] = results.flatMap(({ hits }) => hits).toSorted((a, b) => b.score - a.score)
  return buildCard(
    { session, understanding, decision, history, failedAttempts, passage, nowMs: helpers.nowMs },
    {
      maskText: (text) => maskText(text),
      maskRecord: (record) => maskRecord(record).data,
      asksForPerson: helpers.asksForPerson,
    },
  )
}
