import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { useKeys } from '../../../shell/keys.ts'
import { go, place, replace, to } from '../../../shell/router.ts'
import { Shown } from '../../../ui/resource.tsx'
import { Empty } from '../../../ui/states.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { VirtualList } from '../../../ui/virtual-list.tsx'
import { say } from '../words.ts'
import { Filters } from './filters.tsx'
import { Row } from './row.tsx'
import { type SessionRow, type TabName, useSessions, type View } from './sessions.ts'

const TABS: readonly TabName[] = ['mine', 'waiting', 'all']
const ROW_HEIGHT = 74

/** Conversations by who has them. The address says which, so that going back leads to the same list. */
export function List({ chosen }: { chosen: string | undefined }) {
  const view = viewOf(place.value.query)
  const { resource, sessions, more } = useSessions(view)
  const counts = resource.data.value?.counts
  const at = sessions.findIndex(({ session_id: id }) => id === chosen)
  const open = (row: SessionRow | undefined) => row && go(to('inbox', row.session_id, { ...view }))
  const show = (change: Partial<View>) => {
    const next = to('inbox', ...(chosen ? [chosen] : []), { ...view, ...change })
    if (change.q === undefined) go(next)
    else replace(next)
  }
  useKeys({
    j: { label: say('next'), run: () => open(sessions[Math.min(at + 1, sessions.length - 1)]) },
    k: { label: say('previous'), run: () => open(sessions[Math.max(at - 1, 0)]) },
  })
  return (
    <section class="inbox-list" aria-labelledby="inbox-title">
      <header>
        <Tabs
          label={say('views')}
          chosen={view.tab}
          onChoose={(tab) => show({ tab, status: '', channel: '', label: '' })}
          tabs={TABS.map((name) => ({ name, text: say(name), count: counts?.[name] }))}
        />
        <Search value={view.q} onChange={(q) => show({ q })} />
        {view.tab === 'all' && <Filters view={view} onChange={show} />}
      </header>
      <Shown of={resource}>
        {() =>
          sessions.length === 0 ? (
            <Nothing view={view} />
          ) : (
            <VirtualList
              items={sessions}
              rowHeight={ROW_HEIGHT}
              keyOf={(row) => row.session_id}
              row={(row) => (
                <Row
                  row={row}
                  isChosen={row.session_id === chosen}
                  address={to('inbox', row.session_id, { ...view })}
                />
              )}
              label={say('list')}
              chosen={at}
              onNearEnd={more}
            />
          )
        }
      </Shown>
    </section>
  )
}

function viewOf({ tab, q = '', status = '', channel = '', label = '' }: Readonly<Record<string, string>>): View {
  return { tab: TABS.find((each) => each === tab) ?? 'waiting', q, status, channel, label }
}

const PAUSE_MS = 250

function Search({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const text = useSignal(value)
  const ref = useRef<HTMLInputElement>(null)
  useKeys({ '/': { label: say('toSearch'), run: () => ref.current?.focus() } })
  useEffect(() => {
    if (text.value === value) return
    const timer = setTimeout(() => onChange(text.value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text.value])
  return (
    <input
      ref={ref}
      type="search"
      aria-label={say('search')}
      placeholder={say('search')}
      value={text.value}
      onInput={(event) => (text.value = event.currentTarget.value)}
    />
  )
}

function Nothing({ view }: { view: View }) {
  if (view.q || view.status || view.channel || view.label) {
    return <Empty title={say('noneFound')} text={say('noneFoundText')} />
  }
  if (view.tab === 'mine') {
    return (
      <Empty title={say('noneMine')} text={say('noneMineText')}>
        <a class="button" href={to('inbox', { tab: 'waiting' })}>
          {say('toWaiting')}
        </a>
      </Empty>
    )
  }
  if (view.tab === 'waiting') return <Empty title={say('noneWaiting')} text={say('noneWaitingText')} />
  return (
    <Empty title={say('noneAll')} text={say('noneAllText')}>
      <a class="button" href={to('playground')}>
        {say('toPlayground')}
      </a>
    </Empty>
  )
}
