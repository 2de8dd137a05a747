import type { FastifyBaseLogger } from 'fastify'
import { VERSION } from './about.ts'
import type { Config } from './config.ts'
import { type CachedReply, loadUnderstand } from './features/chat/index.ts'
import { livenessRoute } from './features/monitoring/index.ts'
import { createTuner } from './features/tuning/index.ts'
import type { App } from './http/server.ts'
import { openAnalyser } from './modules/analysing.ts'
import { openAssignment } from './modules/assignment.ts'
import { openAttachments } from './modules/attachments.ts'
import { openChannels, openOutbox } from './modules/channels.ts'
import { openChat } from './modules/chat.ts'
import { openCustomers } from './modules/customers.ts'
import { openDesk } from './modules/desk.ts'
import { openEvaluation } from './modules/evaluation.ts'
import { openGaps } from './modules/gaps.ts'
import { openHandoff } from './modules/handoff.ts'
import { openHours } from './modules/hours.ts'
import { openKeys } from './modules/keys.ts'
import { openKnowledge } from './modules/knowledge.ts'
import { openMcp } from './modules/mcp.ts'
import { openMining } from './modules/mining.ts'
import { openModel } from './modules/model.ts'
import type { Ground, Module } from './modules/module.ts'
import { openMonitoring, openTelemetry } from './modules/monitoring.ts'
import { openOrders } from './modules/orders.ts'
import { openPeople } from './modules/people.ts'
import { openPlayground } from './modules/playground.ts'
import { openPresence } from './modules/presence.ts'
import { openRatings } from './modules/ratings.ts'
import { openServer } from './modules/server.ts'
import { openSettings } from './modules/settings.ts'
import { openSolutions } from './modules/solutions.ts'
import { openTodo } from './modules/todo.ts'
import { openUpdates } from './modules/updates.ts'
import { openWeb } from './modules/web.ts'
import { openWebhooks } from './modules/webhooks.ts'
import { openWebsite } from './modules/website.ts'
import { openWidget } from './modules/widget.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import { createLiveEvents } from './platform/live-events.ts'
import type { Database } from './platform/postgres/index.ts'

/** The whole program: every module in the order in which they need each other, then every group of endpoints. */
export async function createApp(
  config: Config,
  db: Database,
  logger: FastifyBaseLogger,
  clock: Clock = systemClock,
): Promise<App> {
  const ground: Ground = { config, db, clock, log: logger }
  const words = openAnalyser(config)
  const understand = await loadUnderstand()
  const languageOf = (text: string) => (understand(text).replyLanguage === 'zh' ? 'zh' : 'en')
  const telemetry = openTelemetry({ ...ground, version: VERSION })
  const { breakers, alerts } = telemetry
  const live = await createLiveEvents(db)
  const keys = await openKeys(ground)
  const staff = await openPeople(ground, { keys: keys.service })
  const tuner = await createTuner({ db, log: logger })
  const settings = await openSettings(ground)
  const hours = await openHours(ground, { live })
  const knowledge = await openKnowledge(ground, { ...words, breakers, tuner })
  const shared = {
    ...words,
    live,
    tuner,
    assistant: settings.service,
    hours: hours.service,
    understand,
    languageOf,
    knowledge: knowledge.service,
  }
  const monitoring = await openMonitoring<CachedReply>(telemetry, shared)
  const model = openModel(ground, { ...monitoring, breakers })
  const orders = openOrders(ground, { breakers })
  const chat = openChat(ground, { ...shared, business: orders.service, model, monitoring })
  const updates = openUpdates(ground, shared)
  const evaluation = openEvaluation(ground, { ...shared, ...monitoring, chat: chat.service })
  const playground = openPlayground(ground, { ...shared, chat: chat.service, evaluation: evaluation.service })
  const outbox = openOutbox(ground, { live, breakers, alerts })
  const handoff = openHandoff(ground, {
    ...shared,
    outbox: outbox.service,
    people: staff.service,
    business: orders.service,
  })
  const assignment = await openAssignment(ground, { ...shared, handoff, alerts })
  const desk = openDesk(ground, {
    ...words,
    live,
    hours: hours.service,
    targets: () => assignment.service.settings().targets,
    people: staff.service,
    business: orders.service,
    handoff,
  })
  const people = { ...shared, chat: chat.service, handoff: handoff.service }
  const ratings = openRatings(ground, { live, chat: chat.service, handoff, experiments: monitoring.experiments })
  const attachments = await openAttachments(ground, people)
  const presence = openPresence(ground, people)
  const widget = await openWidget(ground, {
    ...people,
    handoff,
    ratings: ratings.service,
    attachments: attachments.service,
    presence: presence.service,
    people: staff.service,
    reachByMail: outbox.reachByMail,
  })
  const solutions = openSolutions(ground, { ...people, orders: orders.service, evaluation: evaluation.service })
  const website = openWebsite(ground, shared)
  const gaps = openGaps(ground, { ...people, solutions: solutions.service })
  const webhooks = await openWebhooks(ground, { live, alerts, gaps: gaps.service })
  const mcp = openMcp(ground, { ...people, workspace: handoff.workspace, gaps: gaps.service })
  const mining = openMining(ground, { ...people, solutions: solutions.service })
  const channels = openChannels(ground, {
    ...people,
    attachments: attachments.service,
    platforms: outbox.platforms,
    outbox: outbox.service,
  })
  const customers = await openCustomers(ground, monitoring)
  const todo = openTodo(ground, { desk: desk.service, solutions: solutions.service, gaps: gaps.service, alerts })
  const web = await openWeb({ orders: orders.service })

  const modules: readonly Module[] = [
    { routes: () => {}, close: () => Promise.all([live.close(), tuner.close()]) },
    {
      routes: (app) => monitoring.routes(app, { keys: keys.service, latestEvaluation: evaluation.service.latest }),
      close: monitoring.close,
    },
    ...[knowledge, orders, chat, updates, evaluation, outbox, handoff, desk, solutions, gaps, mining],
    ...[
      channels,
      customers,
      keys,
      staff,
      presence,
      ratings,
      hours,
      attachments,
      assignment,
      settings,
      playground,
      website,
      widget,
      webhooks,
      mcp,
      todo,
      web,
    ],
  ]
  const app = await openServer(ground, {
    logger,
    keys: keys.service,
    people: staff.service,
    monitoring,
    evaluation,
    isListedOrigin: widget.isListedOrigin,
  })
  livenessRoute(app, { name: config.APP_NAME, version: VERSION })
  for (const { routes } of modules) await routes(app)
  app.addHook('onClose', async () => {
    for (const { close } of modules.toReversed()) await close()
  })
  return app
}
