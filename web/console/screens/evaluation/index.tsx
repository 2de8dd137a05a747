import { useSignal } from '@preact/signals'
import { type ListEvaluationReports, listEvaluationReports } from '../../../../clients/typescript/src/index.ts'
import { formatShare } from '../../../shared/words.ts'
import { desk } from '../../api.ts'
import { useKeys } from '../../shell/keys.ts'
import { go, place, to } from '../../shell/router.ts'
import { may } from '../../shell/session.ts'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Shown, useResource } from '../../ui/resource.tsx'
import { Split, SplitRow } from '../../ui/split.tsx'
import { Empty } from '../../ui/states.tsx'
import { When } from '../../ui/time.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { Comparison } from './comparison.tsx'
import { Report } from './report.tsx'
import { Start } from './start.tsx'
import { nameOfSet, say } from './words.ts'
import './evaluation.css'

type Summary = ListEvaluationReports['result'][number]
const LIMIT = 100
const ROW_HEIGHT = 56

/** How well questions are answered whose answers are known, and whether it gets better. */
export function Screen() {
  const { parts } = place.value
  const [chosen, other] = parts
  const reports = useResource('reports', (signal) => listEvaluationReports(desk, { query: { limit: LIMIT }, signal }))
  const marked = useSignal<readonly string[]>([])
  const items = reports.data.value ?? []
  const at = items.findIndex(({ report_id: id }) => id === chosen)
  const open = (report: Summary | undefined) => report && go(to('evaluation', report.report_id))
  useKeys({
    j: { label: say('next'), run: () => open(items[Math.min(at + 1, items.length - 1)]) },
    k: { label: say('previous'), run: () => open(items[Math.max(at - 1, 0)]) },
  })
  const mark = (id: string, isOn: boolean) => {
    const rest = marked.value.filter((each) => each !== id)
    marked.value = isOn ? [...rest.slice(-1), id] : rest
  }
  /** The older one is A. */
  const compare = () => {
    const [b, a] = items.map(({ report_id: id }) => id).filter((id) => marked.value.includes(id))
    if (a && b) go(to('evaluation', a, b))
  }
  return (
    <Page
      title={say('title')}
      isFull
      actions={
        <Button disabled={marked.value.length !== 2} onPress={compare}>
          {say('compare')}
        </Button>
      }
      bar={
        may('knowledge') && (
          <Start
            onFinished={async (id) => {
              await reports.reload()
              if (id) go(to('evaluation', id))
            }}
          />
        )
      }
    >
      <Split
        label={say('reports')}
        list={
          <Shown of={reports}>
            {() =>
              items.length === 0 ? (
                <Empty title={say('none')} text={say('noneText')} />
              ) : (
                <VirtualList
                  items={items}
                  rowHeight={ROW_HEIGHT}
                  keyOf={(report) => report.report_id}
                  label={say('reports')}
                  chosen={at}
                  row={(report) => (
                    <div class="evaluation-row">
                      <input
                        type="checkbox"
                        aria-label={`${say('mark')}: ${nameOfSet(report.testset)} ${report.created_at}`}
                        checked={marked.value.includes(report.report_id)}
                        onChange={(event) => mark(report.report_id, event.currentTarget.checked)}
                      />
                      <SplitRow
                        address={to('evaluation', report.report_id)}
                        isChosen={report.report_id === chosen || report.report_id === other}
                        title={nameOfSet(report.testset)}
                        aside={<span class="number">{formatShare(report.answer_accuracy, 1)}</span>}
                      >
                        <When at={report.created_at} /> · {say('cases', { n: report.total_queries })}
                      </SplitRow>
                    </div>
                  )}
                />
              )
            }
          </Shown>
        }
        detail={
          chosen && other ? (
            <Comparison key={`${chosen} ${other}`} a={chosen} b={other} />
          ) : chosen ? (
            <Report key={chosen} id={chosen} />
          ) : (
            <Empty title={say('choose')} text={say('chooseText')} />
          )
        }
      />
    </Page>
  )
}
