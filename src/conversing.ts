import type { Analyser } from './ai/analysis/analyser.ts'
import type { ChatModel } from './ai/model/port.ts'
import { maskText } from './business/masking/index.ts'
import { type CachedReply, type ChatOptions, createChat, rewriteFollowUp } from './features/chat/index.ts'
import type { Knowledge } from './features/knowledge/index.ts'
import type { Tuner } from './features/tuner/index.ts'
import type { Watching } from './watching.ts'
import { answerThresholds, escalationThresholds, sessionSettings } from './wiring.ts'

export interface ConversingOptions
  extends Pick<ChatOptions, 'db' | 'live' | 'identity' | 'understand' | 'business' | 'clock' | 'log'> {
  knowledge: Knowledge
  tuner: Tuner
  analyser: Analyser
  /** Null: replies are extractive and messages are read by rules. */
  model: ChatModel | null
  maxTokensPerReply: number
  watching: Watching<CachedReply>
}

/** Chat with everything it needs: thresholds of the tuner, the model when there is one, and what watches it. */
export function createConversing({
  tuner,
  analyser,
  model,
  maxTokensPerReply,
  watching,
  ...shared
}: ConversingOptions) {
  const { knowledge, understand, clock } = shared
  const params = () => tuner.current().params
  return createChat({
    ...shared,
    terms: analyser,
    thresholds: () => answerThresholds(params()),
    escalation: () => escalationThresholds(params()),
    rewriteFollowUp,
    asksForPerson: (sentence) => understand(sentence).wantsHuman,
    reader: model && { model, understand, mask: maskText },
    composer: model && {
      model,
      knowledge,
      clock,
      mask: maskText,
      maxContextTokens: () => params().max_context_tokens,
      maxTokensPerReply,
    },
    tiers: watching.tiers,
    cache: watching.replyCache,
    settingsFor: (sessionId) => sessionSettings(knowledge, params(), watching.experiments.parametersFor(sessionId)),
    traces: watching.traces,
    onFeedback: watching.experiments.feedback,
    mask: maskText,
  })
}
