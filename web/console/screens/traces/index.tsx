import { type ListMonitorTraces, listMonitorTraces } from '../../../../clients/typescript/src/index.ts'
import { desk } from '../../api.ts'
import { useKeys } from '../../shell/keys.ts'
import { go, place, to } from '../../shell/router.ts'
import { Page } from '../../ui/page.tsx'
import { Shown, useResource } from '../../ui/resource.tsx'
import { Split, SplitRow } from '../../ui/split.tsx'
import { Empty } from '../../ui/states.tsx'
import { Tag } from '../../ui/tag.tsx'
import { When } from '../../ui/time.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { Filters, queryOf } from './filters.tsx'
import { TraceView } from './trace.tsx'
import { say } from './words.ts'
import './traces.css'

type Trace = ListMonitorTraces['result'][number]

const PAGE = 100
const ROW_HEIGHT = 56

/** Every turn of the assistant, and how one came about. */
export function Screen() {
  const { parts, query } = place.value
  const [chosen] = parts
  const asked = { ...queryOf(query), limit: PAGE }
  const list = useResource(JSON.stringify(asked), (signal) => listMonitorTraces(desk, { query: asked, signal }))
  const items = list.data.value ?? []
  const at = items.findIndex(({ trace_id: id }) => id === chosen)
  const open = (trace: Trace | undefined) => trace && go(to('traces', trace.trace_id, query))
  useKeys({
    j: { label: say('next'), run: () => open(items[Math.min(at + 1, items.length - 1)]) },
    k: { label: say('previous'), run: () => open(items[Math.max(at - 1, 0)]) },
  })
  const more = async () => {
    const known = list.data.value
    const last = known?.at(-1)
    if (!known || !last || known.length % PAGE !== 0) return
    const page = await listMonitorTraces(desk, { query: { ...asked, before: last.trace_id } }).catch(() => [])
    if (page.length > 0 && list.data.value === known) list.data.value = [...known, ...page]
  }
  return (
    <Page title={say('title')} isFull bar={<Filters query={query} chosen={chosen} />}>
      <Split
        label={say('title')}
        list={
          <Shown of={list}>
            {() =>
              items.length === 0 ? (
                <Empty title={say('none')} text={say('noneText')} />
              ) : (
                <VirtualList
                  items={items}
                  rowHeight={ROW_HEIGHT}
                  keyOf={(trace) => trace.trace_id}
                  label={say('title')}
                  chosen={at}
                  onNearEnd={more}
                  row={(trace) => (
                    <SplitRow
                      address={to('traces', trace.trace_id, query)}
                      isChosen={trace.trace_id === chosen}
                      title={trace.question}
                      aside={trace.status === 'ok' ? null : <Tag tone="bad">{say(`status.${trace.status}`)}</Tag>}
                    >
                      <When at={trace.started_at} /> · {say('ms', { n: trace.duration_ms })}
                      {trace.confidence && ` · ${say(`confidence.${trace.confidence}`)}`}
                      {trace.escalated && ` · ${say('escalated')}`}
                    </SplitRow>
                  )}
                />
              )
            }
          </Shown>
        }
        detail={
          chosen ? <TraceView key={chosen} id={chosen} /> : <Empty title={say('choose')} text={say('chooseText')} />
        }
      />
    </Page>
  )
}
