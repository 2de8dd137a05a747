import { type Config, listOfNames } from '../config.ts'
import {
  type ChannelSettings,
  channelRoutes,
  createChannels,
  createLinks,
  createOutbox,
  linkRoutes,
  listChannels,
} from '../features/channels/index.ts'
import type { Alerts } from '../features/monitoring/index.ts'
import type { App } from '../http/server.ts'
import type { BreakerRegistry } from '../platform/breaker.ts'
import type { LiveEvents } from '../platform/live-events.ts'
import type { Ground } from './module.ts'

/** Sending to customers of other platforms; those who answer them come later. */
export function openOutbox(
  { config, db, clock, log }: Ground,
  { live, breakers, alerts }: { live: LiveEvents; breakers: BreakerRegistry; alerts: Pick<Alerts, 'deliveryLost'> },
) {
  const platforms = listChannels(channelSettings(config), { breakers, clock, fetch })
  const outbox = createOutbox({ db, live, channels: platforms, onLost: alerts.deliveryLost, log })
  return { platforms, service: outbox, routes: () => {}, close: outbox.close }
}

type Needed = Pick<Parameters<typeof createChannels>[0], 'chat' | 'handoff' | 'languageOf' | 'outbox'>

/** Where customers of other platforms write. */
export function openChannels(
  { config, db, log }: Ground,
  { platforms, ...needed }: Pick<ReturnType<typeof openOutbox>, 'platforms'> & Needed,
) {
  const budgetMs = config.CHANNEL_REPLY_BUDGET_MS
  const channels = createChannels({ db, ...needed, channels: platforms, budgetMs, log })
  return {
    async routes(app: App): Promise<void> {
      linkRoutes(app, { links: createLinks(db), platforms: platforms.map(({ name }) => name) })
      await channelRoutes(app, { channels })
    },
    close: () => {},
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
  }
}
