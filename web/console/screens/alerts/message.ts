import { formatDuration, formatNumber, formatShare, language } from '../../../shared/words.ts'
import { nameOf } from '../../ui/names.ts'
import { chineseMessage, nameOfPart } from './words.ts'

interface Raised {
  source: string
  message: string
  details: Record<string, unknown>
}

/** Alerts are stored in English; in Chinese they are said anew by what was measured. */
export function messageOf({ source, message, details }: Raised): string {
  if (language.value !== 'zh') return message
  const number = (name: string) => Number(details[name] ?? 0)
  if (typeof details.rate === 'number') {
    const rate = chineseMessage(`rate.${source as 'turns'}`, { share: formatShare(details.rate, 1) })
    return rate.startsWith('rate.') ? message : rate
  }
  if ('p95_ms' in details) return chineseMessage('slow', { ms: formatNumber(number('p95_ms')) })
  if ('waiting_seconds' in details) return chineseMessage('waits', { time: formatDuration(number('waiting_seconds')) })
  if ('free_share' in details) return chineseMessage('disk', { share: formatShare(number('free_share'), 1) })
  if ('budget' in details)
    return chineseMessage('budget', { share: formatShare(number('tokens') / number('budget'), 1) })
  if ('breaker' in details) return chineseMessage('breaker', { name: nameOfPart(String(details.breaker) as 'llm') })
  if ('channel' in details)
    return chineseMessage('delivery', { name: nameOf.channel(String(details.channel) as 'web') })
  if ('webhook_id' in details) return chineseMessage('webhook')
  if (source === 'keys') return chineseMessage('keys', { count: formatNumber(number('count')) })
  return message
}
