import {
  acknowledgeObservabilityAlert,
  deleteObservabilityAlertSilence,
  silenceObservabilityAlert,
} from '../../../../clients/typescript/src/index.ts'
import { formatTime } from '../../../shared/words.ts'
import { desk } from '../../api.ts'
import { asAgent, may } from '../../shell/session.ts'
import { Button } from '../../ui/button.tsx'
import { Tag, type Tone } from '../../ui/tag.tsx'
import { When } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import type { Alert } from './index.tsx'
import { messageOf } from './message.ts'
import { nameOfPart, say } from './words.ts'

const TONES: Readonly<Record<Alert['level'], Tone>> = { info: 'plain', warn: 'warn', error: 'bad', critical: 'bad' }
const HOUR = 60
const DURATIONS = [
  { minutes: HOUR, text: () => say('hour') },
  { minutes: 8 * HOUR, text: () => say('hours', { n: 8 }) },
  { minutes: 24 * HOUR, text: () => say('day') },
  { minutes: 7 * 24 * HOUR, text: () => say('week') },
]

/** An alert: what the matter is, how long and how often, and what can be done about its noise. */
export function AlertView({ alert, reload }: { alert: Alert; reload: () => Promise<void> }) {
  const { alert_id: id, state } = alert
  const isOpen = state !== 'resolved'
  return (
    <li class="alert" tabIndex={-1}>
      <div class="row">
        <Tag tone={TONES[alert.level]}>{say(alert.level)}</Tag>
        <strong class="grow">{messageOf(alert)}</strong>
        {state !== 'firing' && <Tag>{say(state)}</Tag>}
      </div>
      <p class="second small">
        {nameOfPart(alert.source as 'disk')} · {say('count', { n: alert.count })} · {say('since')}{' '}
        <When at={alert.created_at} /> · {say('latest')} <When at={alert.last_seen_at} />
        {alert.acknowledged && ` · ${say('acknowledged')} ${say('by', { name: alert.acknowledged.by ?? '' })}`}
        {alert.silenced && ` · ${say('until', { time: formatTime(alert.silenced.until) })}`}
      </p>
      {Object.keys(alert.details).length > 0 && (
        <details class="small">
          <summary>{say('details')}</summary>
          <pre class="pre">{JSON.stringify(alert.details, null, 2)}</pre>
        </details>
      )}
      {isOpen && may('admin') && (
        <div class="row">
          {state === 'firing' && (
            <Button
              isSmall
              onPress={async () => {
                await acknowledgeObservabilityAlert(desk, { path: { alert_id: id }, body: { ...asAgent.value } })
                toast({ text: say('acknowledgedDone') })
                await reload()
              }}
            >
              {say('acknowledge')}
            </Button>
          )}
          {state === 'silenced' ? (
            <Button isSmall onPress={() => sound(id, reload)}>
              {say('unsilence')}
            </Button>
          ) : (
            <Silence id={id} reload={reload} />
          )}
        </div>
      )}
    </li>
  )
}

async function sound(id: string, reload: () => Promise<void>): Promise<void> {
  await deleteObservabilityAlertSilence(desk, { path: { alert_id: id } })
  toast({ text: say('unsilenced') })
  await reload()
}

function Silence({ id, reload }: { id: string; reload: () => Promise<void> }) {
  const menu = `silence-${id}`
  const silence = async (minutes: number) => {
    const body = { minutes, ...asAgent.value }
    const { silenced } = await silenceObservabilityAlert(desk, { path: { alert_id: id }, body })
    toast({
      text: say('silencedDone', { time: formatTime(silenced?.until ?? new Date().toISOString()) }),
      undo: async () => {
        await deleteObservabilityAlertSilence(desk, { path: { alert_id: id } })
        await reload()
      },
    })
    await reload()
  }
  return (
    <>
      <button type="button" class="button plain is-small" popovertarget={menu}>
        {say('silence')} …
      </button>
      <div id={menu} popover="auto" class="menu alert-menu" role="group" aria-label={say('silenceFor')}>
        {DURATIONS.map(({ minutes, text }) => (
          <Button key={minutes} kind="ghost" isSmall onPress={() => silence(minutes)}>
            {text()}
          </Button>
        ))}
      </div>
    </>
  )
}
