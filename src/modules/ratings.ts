import type { Chat } from '../features/chat/index.ts'
import type { Handoff, Workspace } from '../features/handoff/index.ts'
import { createRatings, presentRating, ratingRoutes } from '../features/ratings/index.ts'
import type { App } from '../http/server.ts'
import type { LiveEvents } from '../platform/live-events.ts'
import type { Ground } from './module.ts'

export interface RatingsModuleOptions {
  live: LiveEvents
  chat: Pick<Chat, 'messages'>
  handoff: { service: Pick<Handoff, 'find'>; workspace: Pick<Workspace, 'tell'> }
  experiments: { rated(sessionId: string, score: number): void }
}

/** Ratings of customers for what people did for them. */
export function openRatings({ db }: Ground, { live, chat, handoff, experiments }: RatingsModuleOptions) {
  const ratings = createRatings({
    db,
    live,
    onRated: experiments.rated,
    async assertOwn(viewed) {
      await chat.messages(viewed, '', 1)
    },
  })
  handoff.workspace.tell('rated', async (ref) => {
    const [sessionId, resolution] = JSON.parse(ref) as [string, number]
    const [session, rating] = [await handoff.service.find(sessionId), await ratings.find(sessionId, resolution)]
    if (!session || !rating) return undefined
    const concerns = rating.agentId === null ? [] : [rating.agentId]
    return { event: 'rated', session, data: { rating: presentRating(rating) }, concerns }
  })
  return { service: ratings, routes: (app: App) => ratingRoutes(app, { ratings }), close: () => {} }
}
