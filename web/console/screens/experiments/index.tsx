import { useSignal } from '@preact/signals'
import { type ListOperationsExperiments, listOperationsExperiments } from '../../../../clients/typescript/src/index.ts'
import { desk } from '../../api.ts'
import { place, to } from '../../shell/router.ts'
import { may } from '../../shell/session.ts'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Shown, useResource } from '../../ui/resource.tsx'
import { Split, SplitRow } from '../../ui/split.tsx'
import { Empty } from '../../ui/states.tsx'
import { Tag } from '../../ui/tag.tsx'
import { When } from '../../ui/time.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { NewExperiment } from './new-experiment.tsx'
import { Results } from './results.tsx'
import { say } from './words.ts'

export type Experiment = ListOperationsExperiments['result'][number]
const ROW_HEIGHT = 56

/** Settings that a share of the customers has, and whether they are better. */
export function Screen() {
  const [chosen] = place.value.parts
  const experiments = useResource('experiments', (signal) => listOperationsExperiments(desk, { signal }))
  const isNew = useSignal(false)
  const experiment = experiments.data.value?.find(({ name }) => name === chosen)
  return (
    <Page
      title={say('title')}
      isFull
      actions={
        may('admin') && (
          <Button kind="primary" onPress={() => void (isNew.value = true)}>
            {say('new')}
          </Button>
        )
      }
    >
      {experiments.data.value?.length === 0 ? (
        <Empty title={say('none')} text={say('noneText')} />
      ) : (
        <Split
          label={say('title')}
          list={<Shown of={experiments}>{(all) => <List experiments={all} chosen={chosen} />}</Shown>}
          detail={
            experiment ? (
              <Results
                key={`${experiment.name} ${experiment.state}`}
                experiment={experiment}
                reload={experiments.reload}
              />
            ) : (
              <Empty title={say('choose')} text={say('chooseText')} />
            )
          }
        />
      )}
      {isNew.value && <NewExperiment onClose={() => (isNew.value = false)} onStarted={experiments.reload} />}
    </Page>
  )
}

function List({ experiments, chosen }: { experiments: readonly Experiment[]; chosen: string | undefined }) {
  return (
    <VirtualList
      items={experiments}
      rowHeight={ROW_HEIGHT}
      keyOf={({ name }) => name}
      label={say('title')}
      row={(each) => (
        <SplitRow
          address={to('experiments', each.name)}
          isChosen={each.name === chosen}
          title={each.name}
          aside={<Tag tone={each.state === 'running' ? 'accent' : 'plain'}>{say(each.state)}</Tag>}
        >
          {say('since')} <When at={each.created_at} /> {each.description}
        </SplitRow>
      )}
    />
  )
}
