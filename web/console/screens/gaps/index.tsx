import { type ListKnowledgeGaps, listKnowledgeGaps } from '../../../../clients/typescript/src/index.ts'
import { desk } from '../../api.ts'
import { setBadge } from '../../shell/badges.ts'
import { useKeys } from '../../shell/keys.ts'
import { go, place, replace, to } from '../../shell/router.ts'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Shown, useResource } from '../../ui/resource.tsx'
import { Split, SplitRow } from '../../ui/split.tsx'
import { Empty } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { When } from '../../ui/time.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { Detail } from './detail.tsx'
import { say } from './words.ts'

const STATES = ['open', 'drafted', 'closed', 'ignored'] as const
type State = (typeof STATES)[number]
type Gap = ListKnowledgeGaps['result']['items'][number]
const LIMIT = 200
const ROW_HEIGHT = 56

/** What customers asked and the knowledge base did not answer. */
export function Screen() {
  const { query, parts } = place.value
  const state: State = STATES.find((each) => each === query.state) ?? 'open'
  const [chosen] = parts
  const list = useResource(state, async (signal) => {
    const found = await listKnowledgeGaps(desk, { query: { state, limit: LIMIT }, signal })
    if (state === 'open') setBadge('gaps', found.total)
    return found
  })
  const items = list.data.value?.items ?? []
  const at = items.findIndex(({ gap_id: id }) => id === chosen)
  const open = (gap: Gap | undefined) => gap && go(to('gaps', gap.gap_id, { state }))
  useKeys({
    j: { label: say('next'), run: () => open(items[Math.min(at + 1, items.length - 1)]) },
    k: { label: say('previous'), run: () => open(items[Math.max(at - 1, 0)]) },
  })
  /** The next one is shown when one is done. */
  const done = async () => {
    const next = items[at + 1] ?? items[at - 1]
    await list.reload()
    replace(to('gaps', ...(next ? [next.gap_id] : []), { state }))
  }
  return (
    <Page
      title={say('title')}
      isFull
      actions={<Button onPress={list.reload}>{say('refresh')}</Button>}
      bar={
        <>
          <Tabs
            label={say('view')}
            chosen={state}
            onChoose={(next) => go(to('gaps', { state: next }))}
            tabs={STATES.map((name) => ({
              name,
              text: say(name),
              count: name === state ? list.data.value?.total : undefined,
            }))}
          />
          {list.data.value?.is_complete === false && <span class="second small">{say('incomplete')}</span>}
        </>
      }
    >
      <Split
        label={say('title')}
        list={
          <Shown of={list}>
            {() =>
              items.length === 0 ? (
                <Empty title={say(`none.${state}`)} text={say('noneText')} />
              ) : (
                <VirtualList
                  items={items}
                  rowHeight={ROW_HEIGHT}
                  keyOf={(gap) => gap.gap_id}
                  label={say('title')}
                  chosen={at}
                  row={(gap) => (
                    <SplitRow
                      address={to('gaps', gap.gap_id, { state })}
                      isChosen={gap.gap_id === chosen}
                      title={gap.question}
                      aside={<span class="number">{gap.count}</span>}
                    >
                      {say('latest')} <When at={gap.last_seen} />
                      {gap.rated_down > 0 && ` · ${say('ratedDown', { n: gap.rated_down })}`}
                    </SplitRow>
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
