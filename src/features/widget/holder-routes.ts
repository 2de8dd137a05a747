import type { App } from '../../http/server.ts'
import { AppError } from '../../kernel/errors.ts'
import { perMinute } from './limits.ts'
import type { Present } from './present.ts'
import type { WidgetService } from './service.ts'
import type { StateReaders } from './state.ts'
import type { Holder, Widget } from './types.ts'

export interface WidgetRoutesOptions {
  service: WidgetService
  presentFile: Present
  readers: StateReaders
  languageOf(text: string): 'zh' | 'en'
  clock: { now(): number }
  maxFileMb: number
  limits: { messages: number; sessions: number; requests: number }
}

export const BASE = '/api/v1/widget'
/** For pages of listed origins, from the internet, by tokens of their own. */
export const config = { auth: 'token', isPublic: true, isCrossOrigin: true, isChange: false } as const
export const tags = ['widget']
export const security = [{ widgetToken: [] }]

export type Known = Holder & { widget: Widget }
const HOLDER = Symbol('who holds the token')
interface Held {
  [HOLDER]?: Known
}

/** Who holds the token stands with the request before anything of its body is read. */
export function knowHolder(scope: App, { service, limits, clock }: WidgetRoutesOptions): void {
  const count = perMinute(limits.requests, 'request', clock.now)
  scope.addHook('onRequest', async (request) => {
    const { authorization, origin } = request.headers
    if (origin === undefined && request.method === 'POST') {
      throw new AppError('forbidden', 'origin', 'Origin: is required')
    }
    const holder = await service.holder(authorization, origin)
    count(holder.sessionId)
    ;(request as Held)[HOLDER] = holder
    request.repeater = { sessionId: holder.sessionId, userId: holder.userId || null }
  })
}

export function holderOf(request: object): Known {
  return (request as Held)[HOLDER] as Known
}
