import { type Attachments, attachmentPresenter } from '../features/attachments/index.ts'
import type { WorkingHours } from '../features/hours/index.ts'
import {
  createTokens,
  createWidgetService,
  createWidgets,
  type StateReaders,
  type WidgetServiceOptions,
  widgetKeyRoutes,
  widgetPageRoute,
  widgetRoutes,
} from '../features/widget/index.ts'
import type { App } from '../http/server.ts'
import type { LiveEvents } from '../platform/live-events.ts'
import { readSharedSecret } from '../platform/postgres/index.ts'
import type { Ground } from './module.ts'

export interface WidgetModuleOptions extends Pick<WidgetServiceOptions, 'chat' | 'reachByMail'> {
  live: LiveEvents
  handoff: { service: WidgetServiceOptions['handoff'] & StateReaders['handoff'] }
  ratings: WidgetServiceOptions['ratings'] & { mayRate(sessionId: string): Promise<boolean> }
  attachments: WidgetServiceOptions['attachments'] & Pick<Attachments, 'link'>
  presence: WidgetServiceOptions['presence'] & { isSomebodyThere(): Promise<boolean> }
  hours: Pick<WorkingHours, 'state'>
  people: { find(name: string): Promise<{ displayName: string } | undefined> }
  languageOf(text: string): 'zh' | 'en'
}

/** Conversations from pages of the shop. */
export async function openWidget({ config, db, clock, log }: Ground, needed: WidgetModuleOptions) {
  const { live, chat, handoff, ratings, attachments, presence, hours, people, languageOf, reachByMail } = needed
  const widgets = await createWidgets({ db, live, clock, log })
  const readers: StateReaders = {
    handoff: handoff.service,
    displayNameOf: async (name) => (await people.find(name))?.displayName ?? null,
    hours: hours.state,
    isSomebodyThere: presence.isSomebodyThere,
    mayRate: ratings.mayRate,
  }
  const tokens = createTokens({ secret: await readSharedSecret(db.executor, 'widget tokens'), now: clock.now })
  const service = createWidgetService({
    db,
    clock,
    widgets,
    tokens,
    chat,
    handoff: handoff.service,
    ratings,
    attachments,
    presence,
    state: readers,
    reachByMail,
  })
  const limits = {
    messages: config.WIDGET_MESSAGES_PER_MINUTE,
    sessions: config.WIDGET_SESSIONS_PER_MINUTE,
    requests: config.WIDGET_REQUESTS_PER_MINUTE,
  }
  return {
    isListedOrigin: widgets.isListedOrigin,
    async routes(app: App): Promise<void> {
      widgetKeyRoutes(app, { widgets })
      widgetPageRoute(app, { widgets })
      const presentFile = attachmentPresenter(attachments)
      const maxFileMb = config.ATTACHMENT_MAX_MB
      await widgetRoutes(app, { service, presentFile, readers, languageOf, clock, maxFileMb, limits })
    },
    close: widgets.close,
  }
}
