import { type Config, listOfNames } from '../config.ts'
import { type Attachments, readFilesOf } from '../features/attachments/index.ts'
import {
  type ChannelSettings,
  channelRoutes,
  createChannels,
  createLinks,
  createOutbox,
  linkRoutes,
  listChannels,
  saveAddress,
} from '../features/channels/index.ts'
import type { Alerts } from '../features/monitoring/index.ts'
import { findMessage } from '../features/sessions/index.ts'
import type { App } from '../http/server.ts'
import type { BreakerRegistry } from '../platform/breaker.ts'
import type { LiveEvents } from '../platform/live-events.ts'
import type { Ground } from './module.ts'

/** Sending to customers of other platforms; those who answer them come later. */
export function openOutbox(
  { config, db, clock, log }: Ground,
  { live, breakers, alerts }: { live: LiveEvents; breakers: BreakerRegistry; alerts: Pick<Alerts, 'deliveryLost'> },
) {
  const platforms = listChannels(channelSettings(config), {
    breakers,
    clock,
    fetch,
    db,
    log,
    isOfPerson: async (messageId) => (await findMessage(db.executor, messageId))?.role === 'agent',
    filesOf: (messageId) => readFilesOf(db.executor, messageId),
  })
  const outbox = createOutbox({ db, live, channels: platforms, onLost: alerts.deliveryLost, log })
  const hasMail = platforms.some(({ name, sender }) => name === 'email' && sender !== null)
  return {
    platforms,
    service: outbox,
    /** Sends what people say in a session by mail from now on, where there is mail. */
    async reachByMail(sessionId: string, to: { address: string; name: string; words: string }): Promise<void> {
      if (!hasMail) return
      const subject = to.words.split('\n', 1)[0]?.slice(0, 80) ?? ''
      const date = new Date(clock.now()).toISOString()
      const details = { to: to.address, name: to.name, subject, id: '', references: [], quoted: to.words, date }
      await saveAddress(db.executor, sessionId, { channel: 'email', orderingKey: `email:${to.address}`, details })
    },
    routes: () => {},
    close: outbox.close,
  }
}

interface Needed extends Pick<Parameters<typeof createChannels>[0], 'chat' | 'handoff' | 'languageOf' | 'outbox'> {
  attachments: Pick<Attachments, 'sendAsPlatform'>
}

/** Where customers of other platforms write. */
export function openChannels(
  { config, db, log }: Ground,
  { platforms, attachments, ...needed }: Pick<ReturnType<typeof openOutbox>, 'platforms'> & Needed,
) {
  const budgetMs = config.CHANNEL_REPLY_BUDGET_MS
  const channels = createChannels({
    db,
    ...needed,
    channels: platforms,
    budgetMs,
    log,
    attach: async (sessionId, { name, bytes }) => void (await attachments.sendAsPlatform(sessionId, { name, bytes })),
  })
  return {
    async routes(app: App): Promise<void> {
      linkRoutes(app, {
        links: createLinks(db),
        platforms: platforms.filter(({ description }) => description !== null).map(({ name }) => name),
      })
      await channelRoutes(app, { channels })
      channels.openInboxes()
    },
    close: channels.close,
  }
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
      webhookOrigins: listOfNames(config.DINGTALK_WEBHOOK_ORIGINS),
    },
    mail: {
      imap: {
        host: config.MAIL_IMAP_HOST,
        port: config.MAIL_IMAP_PORT,
        security: config.MAIL_IMAP_SECURITY,
        user: config.MAIL_USER,
        password: config.MAIL_PASSWORD,
      },
      smtp: {
        host: config.MAIL_SMTP_HOST,
        port: config.MAIL_SMTP_PORT,
        security: config.MAIL_SMTP_SECURITY,
        user: config.MAIL_SMTP_USER || config.MAIL_USER,
        password: config.MAIL_SMTP_PASSWORD || config.MAIL_PASSWORD,
      },
      folder: config.MAIL_FOLDER,
      address: (config.MAIL_ADDRESS || config.MAIL_USER).toLowerCase(),
      name: config.MAIL_NAME || config.ASSISTANT_NAME || config.APP_NAME,
      replies: config.MAIL_REPLIES,
      pollSeconds: config.MAIL_POLL_SECONDS,
      answersPerHour: config.MAIL_ANSWERS_PER_HOUR,
      maxBytes: config.MAIL_MAX_MB * 1_048_576,
    },
  }
}
