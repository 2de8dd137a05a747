import { AppError } from '../../kernel/errors.ts'
import type { LiveEvents } from '../../platform/live-events.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { findRating, findResolution, listRatings, saveRating } from './queries.ts'
import type { Rating, RatingFilter } from './types.ts'

export interface RatingsOptions {
  db: Database
  live: LiveEvents
  /** Throws not_found, and conflict where the session is another customer's; `userId` empty: nobody was named. */
  assertOwn(viewed: { sessionId: string; userId: string }): Promise<void>
  /** Told of every rating that is new. */
  onRated(sessionId: string, score: number): void
}

export type Ratings = ReturnType<typeof createRatings>

/** Ratings of what people did for customers. */
export function createRatings({ db, live, assertOwn, onRated }: RatingsOptions) {
  return {
    /** Throws not_found, and conflict unless a person resolved the session within the last day. */
    async rate(
      viewed: { sessionId: string; userId: string },
      { score, comment }: { score: number; comment: string | null },
    ): Promise<Rating> {
      await assertOwn(viewed)
      const { sessionId } = viewed
      const rated = await db.transaction(async (trx) => {
        const found = await findResolution(trx, sessionId)
        if (!found) throw new AppError('conflict', 'rating', 'The session has not been resolved by a person')
        const { resolution, agentId, isOpen } = found
        if (!isOpen) throw new AppError('conflict', 'rating', 'A resolved session can be rated for a day')
        const saved = await saveRating(trx, { sessionId, resolution, score, comment, agentId })
        await live.publish(trx, { topic: 'workspace', type: 'rated', ref: JSON.stringify([sessionId, resolution]) })
        return saved
      })
      if (rated.isNew) onRated(sessionId, score)
      return rated
    },

    /** Whether a person has resolved the session within the last day. */
    mayRate: async (sessionId: string): Promise<boolean> =>
      (await findResolution(db.executor, sessionId))?.isOpen ?? false,

    find: (sessionId: string, resolution: number): Promise<Rating | undefined> =>
      findRating(db.executor, { sessionId, resolution }),

    list: (filter: RatingFilter, page: Parameters<typeof listRatings>[2]) => listRatings(db.executor, filter, page),
  }
}
