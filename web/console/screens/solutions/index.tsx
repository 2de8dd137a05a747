import { useSignal } from '@preact/signals'
import { type ListEscalationSolutions, listEscalationSolutions } from '../../../../clients/typescript/src/index.ts'
import { desk } from '../../api.ts'
import type { Solution } from '../../parts/solutions.ts'
import { useKeys } from '../../shell/keys.ts'
import { go, place, replace, to } from '../../shell/router.ts'
import { may } from '../../shell/session.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Page } from '../../ui/page.tsx'
import { type Resource, Shown, useResource } from '../../ui/resource.tsx'
import { Split } from '../../ui/split.tsx'
import { Empty } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { When } from '../../ui/time.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { Bulk } from './bulk.tsx'
import { Detail } from './detail.tsx'
import { say } from './words.ts'
import './solutions.css'

const STATES = ['pending', 'draft', 'approved', 'rejected'] as const
type State = (typeof STATES)[number]
type Found = ListEscalationSolutions['result']
const PAGE = 100
const ROW_HEIGHT = 56

/** What people answered, on its way into the knowledge base. */
export function Screen() {
  const { query, parts } = place.value
  const status: State = STATES.find((each) => each === query.status) ?? 'pending'
  const { q = '' } = query
  const [chosen] = parts
  const marked = useSignal<ReadonlySet<string>>(new Set())
  const list = useResource(`${status} ${q}`, (signal) => fetchPage(status, q, signal))
  const items = list.data.value?.items ?? []
  const at = items.findIndex(({ solution_id: id }) => id === chosen)
  const open = (item: Solution | undefined) => item && go(to('solutions', item.solution_id, { status, q }))
  const mark = (id: string | undefined) => {
    if (id) marked.value = marked.value.symmetricDifference(new Set([id]))
  }
  const mayReview = may('knowledge') && (status === 'pending' || status === 'draft')
  useKeys({
    j: { label: say('next'), run: () => open(items[Math.min(at + 1, items.length - 1)]) },
    k: { label: say('previous'), run: () => open(items[Math.max(at - 1, 0)]) },
    ...(mayReview ? { x: { label: say('mark'), run: () => mark(chosen) } } : {}),
  })
  const clear = () => {
    marked.value = new Set()
  }
  const done = async () => {
    const next = items[at + 1] ?? items[at - 1]
    await list.reload()
    replace(to('solutions', ...(next ? [next.solution_id] : []), { status, q }))
  }
  const more = () => fetchMore(list, status, q)
  return (
    <Page
      title={say('title')}
      isFull
      bar={
        <Bar
          status={status}
          q={q}
          onStatus={clear}
          onMarkAll={
            mayReview && items.length > 1
              ? () => {
                  marked.value = new Set(items.map(({ solution_id: id }) => id))
                }
              : undefined
          }
        />
      }
    >
      {mayReview && (
        <Bulk
          solutions={items.filter(({ solution_id: id }) => marked.value.has(id))}
          onClear={clear}
          onDone={async () => {
            clear()
            await list.reload()
          }}
        />
      )}
      <Split
        label={say('title')}
        list={
          <Shown of={list}>
            {() =>
              items.length === 0 ? (
                <Empty title={say(`none.${status}`)} text={say('noneText')} />
              ) : (
                <VirtualList
                  items={items}
                  rowHeight={ROW_HEIGHT}
                  keyOf={(item) => item.solution_id}
                  chosen={at}
                  label={say('title')}
                  onNearEnd={more}
                  row={(item) => (
                    <Row
                      item={item}
                      address={to('solutions', item.solution_id, { status, q })}
                      isChosen={item.solution_id === chosen}
                      isMarked={marked.value.has(item.solution_id)}
                      onMark={mayReview ? () => mark(item.solution_id) : undefined}
                    />
                  )}
                />
              )
            }
          </Shown>
        }
        detail={
          chosen ? (
            <Detail key={chosen} id={chosen} onDone={done} onUndone={list.reload} />
          ) : (
            <Empty title={say('choose')} text={say('chooseText')} />
          )
        }
      />
    </Page>
  )
}

/** Which solutions the list is of. */
function Bar(props: { status: State; q: string; onStatus: () => void; onMarkAll: (() => void) | undefined }) {
  const { status, q, onStatus, onMarkAll } = props
  return (
    <>
      <Tabs
        label={say('view')}
        chosen={status}
        onChoose={(next) => {
          onStatus()
          go(to('solutions', { status: next, q }))
        }}
        tabs={STATES.map((name) => ({ name, text: say(name) }))}
      />
      <span class="grow" />
      {onMarkAll && (
        <Button isSmall kind="ghost" onPress={onMarkAll}>
          {say('markAll')}
        </Button>
      )}
      <TextField
        isBare
        type="search"
        label={say('search')}
        placeholder={say('search')}
        value={q}
        onInput={(text) => replace(to('solutions', { status, q: text }))}
      />
    </>
  )
}

async function fetchMore(list: Resource<Found>, status: State, q: string): Promise<void> {
  const known = list.data.value
  if (!known?.next_before) return
  const page = await fetchPage(status, q, undefined, known.next_before).catch(() => null)
  if (page && list.data.value === known) list.data.value = { ...page, items: [...known.items, ...page.items] }
}

function fetchPage(status: State, q: string, signal?: AbortSignal, before?: string) {
  const query = { status, limit: PAGE, ...(q ? { q } : {}), ...(before ? { before } : {}) }
  return listEscalationSolutions(desk, { query, signal })
}

function Row(props: {
  item: Solution
  address: string
  isChosen: boolean
  isMarked: boolean
  onMark: (() => void) | undefined
}) {
  const { item, address, isChosen, isMarked, onMark } = props
  return (
    <div class="solution-row" data-chosen={isChosen}>
      {onMark && (
        <input type="checkbox" aria-label={`${say('mark')}: ${item.question}`} checked={isMarked} onChange={onMark} />
      )}
      <a class="grow" href={address} aria-current={isChosen || undefined}>
        <span class="row solution-row-top">
          <strong class="clip grow">{item.question}</strong>
          <span class="second small">
            <When at={item.created_at} />
          </span>
        </span>
        <span class="second small clip solution-row-line">{item.solution}</span>
      </a>
    </div>
  )
}
