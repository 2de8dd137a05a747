import type { Database } from '../../../platform/postgres/index.ts'
import { listWork } from './queries.ts'
import type { Division, Work } from './types.ts'

export type Statistics = ReturnType<typeof createStatistics>

const NONE: Work = {
  key: '',
  name: null,
  taken: 0,
  resolved: 0,
  messages: 0,
  firstResponse: { median: null, p90: null },
  handling: { median: null, p90: null },
  waiting: { median: null, p90: null },
  ratings: 0,
  averageRating: null,
}

/** The work of people on conversations, in numbers. */
export function createStatistics({ db }: { db: Database }) {
  return async (period: { from: Date; to: Date }, by: Division): Promise<{ rows: Work[]; total: Work }> => {
    const rows = await listWork(db.executor, period, by)
    const [total = NONE] = await listWork(db.executor, period, 'none')
    return { rows, total }
  }
}
