import { setTimeout as sleep } from 'node:timers/promises'
import type { Analyser } from './ai/analysis/analyser.ts'
import type { Config } from './config.ts'
import { agentAssistRoutes, createAgentAssist } from './features/agent-assist/index.ts'
import type { Business } from './features/business/index.ts'
import {
  type Chat,
  createHandoff,
  dryRun,
  type Handoff,
  handoffRoutes,
  rewriteFollowUp,
  type Understand,
} from './features/chat/index.ts'
import { createEscalation, type EscalationOptions, escalationRoutes } from './features/escalation/index.ts'
import {
  type ChannelSettings,
  createGateway,
  createLinks,
  createOutbox,
  createSenders,
  gatewayRoutes,
  linkRoutes,
} from './features/gateway/index.ts'
import type { Knowledge, SearchHit } from './features/knowledge/index.ts'
import { createMining, miningRoutes } from './features/mining/index.ts'
import type { Alerts } from './features/observability/index.ts'
import type { App } from './http/server.ts'
import type { BreakerRegistry } from './platform/breaker.ts'
import type { Clock } from './platform/clock.ts'
import { createExclusiveJob } from './platform/exclusive-job.ts'
import type { LiveEvents } from './platform/live-events.ts'
import type { Database } from './platform/postgres/index.ts'

export interface PeopleOptions {
  config: Config
  db: Database
  live: LiveEvents
  clock: Clock
  breakers: BreakerRegistry
  alerts: Pick<Alerts, 'deliveryLost'>
  knowledge: Knowledge
  business: Pick<Business, 'run' | 'recordsOf'>
  chat: Pick<Chat, 'reply'>
  understand: Understand
  terms: Analyser
  /** That `terms` was made with. */
  userDictionary: string
  thresholds: () => { directAnswer: number; clarify: number }
  addEvaluationCase: EscalationOptions['addEvaluationCase']
  log: { warn(details: object, message: string): void }
}

/** Everything by which people take part: agents, reviewers, and the channels that customers write from. */
export function createPeople(options: PeopleOptions) {
  const { config, db, live, clock, breakers, alerts, knowledge, business, chat, understand, terms, thresholds, log } =
    options
  const settings = channelSettings(config)
  const languageOf = (text: string): 'zh' | 'en' => (understand(text).replyLanguage === 'zh' ? 'zh' : 'en')
  const senders = createSenders(settings, { breakers, clock, fetch, sleep: (ms) => sleep(ms) })
  const outbox = createOutbox({ db, live, senders, onLost: alerts.deliveryLost, log })
  const timeoutSeconds = config.HANDOFF_TIMEOUT_SECONDS
  const handoff = createHandoff({
    db,
    live,
    identity: config.SESSION_IDENTITY,
    timeoutSeconds,
    deliver: outbox.enqueue,
    log,
  })
  const answer = (message: string, search: (query: string) => Promise<SearchHit[]>) =>
    dryRun({ understand, rewriteFollowUp, terms, thresholds }, { message, history: [] }, search)
  const escalation = createEscalation({
    db,
    knowledge,
    customersOf: (conversations) => customersOf(handoff, conversations),
    recordsOf: business.recordsOf,
    intentOf: (text) => understand(text).intent,
    answer,
    unansweredQuestions: handoff.unansweredQuestions,
    addEvaluationCase: options.addEvaluationCase,
    log,
  })
  const mining = createMining({
    db,
    live,
    handoff,
    escalation,
    knowledge,
    isAnswered: async (question) =>
      (await answer(question, (query) => knowledge.search({ query }))).confidence === 'sure',
    wordsOf: (text) => terms.words(text),
    job: createExclusiveJob(db, 'mining', log),
    settings: { userDictionary: options.userDictionary },
    minFrequency: config.MINING_MIN_FREQUENCY,
    log,
  })
  const deliveries = outbox.states
  const agentAssist = createAgentAssist({ live, knowledge, handoff, escalation, business, deliveries, languageOf, log })
  const gateway = createGateway({ db, chat, handoff, languageOf, settings, outbox, clock, log })

  return {
    escalation,
    async routes(app: App): Promise<void> {
      handoffRoutes(app, { handoff })
      agentAssistRoutes(app, { agentAssist })
      escalationRoutes(app, { escalation })
      await app.register((scope) => miningRoutes(scope, { mining, maxUploadMb: config.MAX_UPLOAD_MB }))
      linkRoutes(app, { links: createLinks(db) })
      await gatewayRoutes(app, { gateway })
    },
    async close(): Promise<void> {
      agentAssist.close()
      await mining.close()
      await Promise.all([handoff.close(), outbox.close()])
    },
  }
}

/** Who conversations were with, and what they said. */
async function customersOf(
  handoff: Pick<Handoff, 'find' | 'history' | 'message'>,
  { sessionId, messageIds }: Parameters<EscalationOptions['customersOf']>[0],
): ReturnType<EscalationOptions['customersOf']> {
  const messages = await Promise.all(messageIds.map((messageId) => handoff.message(messageId)))
  const sessionIds = new Set([sessionId, ...messages.map((message) => message?.sessionId ?? '')])
  const sessions = await Promise.all([...sessionIds].map((id) => (id === '' ? undefined : handoff.find(id))))
  const known = sessions.filter((session) => session !== undefined)
  return Promise.all(
    known.map(async (session) => {
      const history = await handoff.history(session.sessionId)
      return {
        userId: session.userId,
        said: history.filter(({ role }) => role === 'user').map(({ content }) => content),
      }
    }),
  )
}

function channelSettings(config: Config): ChannelSettings {
  return {
    wechat: {
      token: config.WECHAT_TOKEN,
      appId: config.WECHAT_APP_ID,
      appSecret: config.WECHAT_APP_SECRET,
      encodingAesKey: config.WECHAT_ENCODING_AES_KEY,
      requireEncryption: config.WECHAT_REQUIRE_ENCRYPTION,
      apiBaseUrl: config.WECHAT_API_BASE_URL.replace(/\/$/, ''),
    },
    dingtalk: {
      appSecret: config.DINGTALK_APP_SECRET,
      webhookOrigins: config.DINGTALK_WEBHOOK_ORIGINS.split(',')
        .map((origin) => origin.trim())
        .filter((origin) => origin !== ''),
    },
    replyBudgetMs: config.CHANNEL_REPLY_BUDGET_MS,
  }
}
