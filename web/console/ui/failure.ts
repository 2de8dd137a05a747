import { language } from '../../shared/words.ts'
import { FrontdeskError } from '../api.ts'
import { say } from './words.ts'

const BY_STATUS: Readonly<Record<number, Parameters<typeof say>[0]>> = {
  400: 'invalid',
  401: 'loggedOut',
  403: 'noRight',
  404: 'notFound',
  409: 'conflict',
  413: 'tooLarge',
  415: 'invalid',
  422: 'invalid',
  429: 'tooMany',
  503: 'busy',
}

/** A failure in the words of the person who sees it; the service's own, in English, follow where they say more. */
export function explain(error: unknown): string {
  if (!(error instanceof FrontdeskError)) return error instanceof TypeError ? say('noReach') : say('failed')
  const { status, detail, requestId } = error
  if (status === 500) return say('serverFailure', { id: requestId ?? '–' })
  const general = say(BY_STATUS[status] ?? 'failed')
  if (status === 401 || status === 404 || status === 429 || detail === '') return general
  return language.value === 'en' && status !== 403 ? detail : `${general} ${detail}`
}
