import pLimit from 'p-limit'
import type { Log } from '../../kernel/log.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { EXPERIMENTS_CHANNEL, listInForce } from './queries.ts'
import { assignVariant } from './traffic-split.ts'
import type { Experiment } from './types.ts'

/** The experiments that change replies now, as every turn needs them: in memory, the same on every replica. */
export async function followExperiments(db: Database, log: Log) {
  let known: Experiment[] = []
  const inTurn = pLimit(1)
  /** @param name null: whatever there is */
  const refresh = (name: string | null): Promise<void> =>
    inTurn(async () => {
      const found = await listInForce(db.executor, name)
      known = [...known.filter((each) => name !== null && each.name !== name), ...found].sort(byCreation)
    })
  const follow = (name: string | null): void => {
    refresh(name).catch((error: unknown) => log.warn({ err: error }, 'A change of the experiments was missed'))
  }
  const close = await db.listen(EXPERIMENTS_CHANNEL, follow, () => follow(null))
  await refresh(null)
  return {
    /** Each of them with the unit's variant, in the order of their creation. */
    of: (unit: string): { experiment: Experiment; variant: string }[] =>
      known.flatMap((experiment) => {
        const variant = variantOf(experiment, unit)
        return variant === null ? [] : [{ experiment, variant }]
      }),
    all: (): readonly Experiment[] => known,
    /** Reads anew what has this name. */
    refresh,
    close,
  }
}

export function variantOf({ name, variants, trafficSplit }: Experiment, unit: string): string | null {
  return assignVariant(name, unit, variants, trafficSplit)
}

function byCreation(a: Experiment, b: Experiment): number {
  return a.createdAt.getTime() - b.createdAt.getTime() || (a.name < b.name ? -1 : 1)
}
