import { callerAddress } from '../../http/addresses.ts'
import { answerPreflights } from '../../http/cross-origin.ts'
import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { fileRoute, readingRoutes } from './conversation-routes.ts'
import { BASE, config, knowHolder, tags, type WidgetRoutesOptions } from './holder-routes.ts'
import { deskRoutes, judgingRoutes } from './judgement-routes.ts'
import { perMinute } from './limits.ts'
import { sayingRoutes } from './message-routes.ts'
import { presentPublic, presentState } from './present.ts'
import { BeginBody, BegunBody, KeyQuery, PublicSettings } from './schemas.ts'

/** The widget's contract: pages of the shop talk for one customer each. */
export async function widgetRoutes(app: App, options: WidgetRoutesOptions): Promise<void> {
  answerPreflights(app, BASE)
  openingRoutes(app, options)
  await app.register(async (scope) => {
    knowHolder(scope, options)
    sayingRoutes(scope, options)
    readingRoutes(scope, options)
    judgingRoutes(scope, options)
    deskRoutes(scope, options)
    await fileRoute(scope, options)
  })
}

function openingRoutes(app: App, { service, readers, maxFileMb, limits, clock }: WidgetRoutesOptions): void {
  const count = perMinute(limits.sessions, 'session', clock.now)
  app.get(
    `${BASE}/settings`,
    {
      config,
      schema: {
        summary: 'How a widget looks and what it offers, by its public key',
        tags,
        querystring: KeyQuery,
        response: { 200: PublicSettings, ...errors(403, 404, 422, 429) },
      },
    },
    async ({ query, headers }, reply) => {
      const widget = service.settings(query.key, headers.origin)
      reply.header('cache-control', 'no-cache')
      const isSomebodyThere = await readers.isSomebodyThere()
      return presentPublic(widget, { hours: readers.hours(), isSomebodyThere, maxFileMb })
    },
  )

  app.post(
    `${BASE}/sessions`,
    {
      config,
      schema: {
        summary: 'Begin a conversation, or go on with one',
        description:
          'From a page of a listed origin. The token is for one conversation and seven days; sent here again it becomes a new ' +
          'one, for thirty days in all. Nothing is stored before the first message.',
        tags,
        body: BeginBody,
        response: { 201: BegunBody, ...errors(403, 404, 413, 415, 422, 429) },
      },
    },
    async (request, reply) => {
      count(callerAddress(request))
      const { token, expiresAt, isIdentified, name, goesOn, sessionId } = await service.begin(
        request.body,
        request.headers.origin,
      )
      reply.code(201)
      const state = presentState(await service.stateOf(sessionId))
      return { token, expires_at: expiresAt.toISOString(), identified: isIdentified, name, goes_on: goesOn, state }
    },
  )
}
