import { type Config, readConfig } from '../../src/config.ts'
import { askService, type Service } from './ask-service.ts'
import { openHere } from './open-here.ts'

/** Runs `work` with the service that runs here, or with its database where none does. */
export async function withService(work: (service: Service) => Promise<void>): Promise<void> {
  const config: Config = readConfig()
  const running = await askService(config, process.env.FRONTDESK_KEY)
  const service = running ?? (await openHere(config))
  try {
    await work(service)
  } finally {
    await service.close()
  }
}
