import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type ListObservabilityAlerts, listObservabilityAlerts } from '../../../../clients/typescript/src/index.ts'
import { desk } from '../../api.ts'
import { setBadge } from '../../shell/badges.ts'
import { useKeys } from '../../shell/keys.ts'
import { go, place, to } from '../../shell/router.ts'
import { Page } from '../../ui/page.tsx'
import { Shown, useResource } from '../../ui/resource.tsx'
import { Empty } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { AlertView } from './alert.tsx'
import { Breakers } from './breakers.tsx'
import { Health } from './health.tsx'
import { say } from './words.ts'
import './alerts.css'

export type Alert = ListObservabilityAlerts['result'][number]

const VIEWS = ['open', 'silenced', 'resolved'] as const
const LIMIT = 200
/** Alerts are no events of the desk, so they are asked for. */
const REFRESH_MS = 20_000

/** What is wrong, and what depends on others and works. */
export function Screen() {
  const view = VIEWS.find((each) => each === place.value.query.view) ?? 'open'
  const chosen = useSignal(0)
  const list = useResource(view, (signal) => fetchAlerts(view, signal))
  useEffect(() => {
    const timer = setInterval(() => void list.reload(), REFRESH_MS)
    return () => clearInterval(timer)
  }, [view])
  const count = list.data.value?.length ?? 0
  const move = (by: number) => {
    chosen.value = Math.max(0, Math.min(count - 1, chosen.value + by))
    document.querySelectorAll<HTMLElement>('.alert')[chosen.value]?.focus()
  }
  useKeys({
    j: { label: say('next'), run: () => move(1) },
    k: { label: say('previous'), run: () => move(-1) },
  })
  return (
    <Page
      title={say('title')}
      bar={
        <Tabs
          label={say('view')}
          chosen={view}
          onChoose={(next) => go(to('alerts', { view: next }))}
          tabs={VIEWS.map((name) => ({
            name,
            text: say(name),
            count: name === view ? list.data.value?.length : undefined,
          }))}
        />
      }
    >
      <div class="alerts">
        <section>
          <Shown of={list}>
            {(alerts) =>
              alerts.length === 0 ? (
                <Empty title={say(view === 'resolved' ? 'noneOver' : 'none')} text={say('noneText')} />
              ) : (
                <ul class="stack" aria-label={say('list')}>
                  {alerts.map((alert) => (
                    <AlertView key={alert.alert_id} alert={alert} reload={list.reload} />
                  ))}
                </ul>
              )
            }
          </Shown>
        </section>
        <aside class="stack" aria-label={say('health')}>
          <Health />
          <Breakers />
        </aside>
      </div>
    </Page>
  )
}

async function fetchAlerts(view: (typeof VIEWS)[number], signal: AbortSignal): Promise<Alert[]> {
  const fetchState = (state: Alert['state']) =>
    listObservabilityAlerts(desk, { query: { state, limit: LIMIT }, signal })
  if (view !== 'open') return fetchState(view)
  const [firing, acknowledged] = await Promise.all([fetchState('firing'), fetchState('acknowledged')])
  setBadge('alerts', firing.length)
  return [...firing, ...acknowledged]
}
