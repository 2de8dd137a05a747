import { describeSettings } from '../config.ts'
import { createAssistant, settingsRoutes } from '../features/settings/index.ts'
import type { App } from '../http/server.ts'
import type { Ground } from './module.ts'

export async function openSettings({ config, db, log }: Ground) {
  const assistant = await createAssistant({
    db,
    log,
    defaults: {
      name: config.ASSISTANT_NAME,
      persona: config.ASSISTANT_PERSONA,
      greetingEn: config.ASSISTANT_GREETING_EN,
      greetingZh: config.ASSISTANT_GREETING_ZH,
      model: '',
      temperature: null,
    },
    hasModel: config.LLM_MODEL !== '',
  })
  const effective = describeSettings(config)
  return {
    service: assistant,
    routes: (app: App) => settingsRoutes(app, { assistant, effective }),
    close: assistant.close,
  }
}
