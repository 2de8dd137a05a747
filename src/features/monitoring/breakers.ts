import { randomUUID } from 'node:crypto'
import { AppError } from '../../kernel/errors.ts'
import type { BreakerRegistry, BreakerStats } from '../../platform/breaker.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { announceReset, BREAKER_CHANNEL } from './alerts/queries.ts'

export type Breakers = Awaited<ReturnType<typeof shareBreakers>>

export interface KnownBreaker extends BreakerStats {
  /** Whether there is anything behind it: a model that nobody has set up never fails. */
  configured: boolean
}

/** The breakers of this replica, which has its own connections to what may fail; a reset is one of every replica's. */
export async function shareBreakers(
  db: Database,
  breakers: BreakerRegistry,
  isConfigured: (name: string) => boolean = () => true,
) {
  const known = (name: string, stats: BreakerStats): KnownBreaker => ({ configured: isConfigured(name), ...stats })
  const replicaId = randomUUID()
  const close = await db.listen(BREAKER_CHANNEL, (payload) => {
    const [sender, ...name] = payload.split(' ')
    if (sender !== replicaId) breakers.reset(name.join(' '))
  })
  return {
    stats: (): Record<string, KnownBreaker> =>
      Object.fromEntries(Object.entries(breakers.stats()).map(([name, stats]) => [name, known(name, stats)])),

    /** Sets it to CLOSED. Throws not_found for an unknown name. */
    async reset(name: string): Promise<KnownBreaker> {
      if (!breakers.reset(name)) throw new AppError('not_found', 'breaker', `No circuit breaker has the name ${name}`)
      await announceReset(db, replicaId, name)
      return known(name, breakers.stats()[name] as BreakerStats)
    },

    close,
  }
}
