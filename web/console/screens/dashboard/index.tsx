import { useMemo } from 'preact/hooks'
import { getOperationsDashboard } from '../../../../clients/typescript/src/index.ts'
import { formatNumber, formatShare } from '../../../shared/words.ts'
import { desk } from '../../api.ts'
import { ConversationsBehind } from '../../parts/conversations-behind.tsx'
import { go, place, to } from '../../shell/router.ts'
import { may } from '../../shell/session.ts'
import { Chart } from '../../ui/chart.tsx'
import { Page } from '../../ui/page.tsx'
import { Shown, useResource } from '../../ui/resource.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import {
  changeOf,
  formatMetric,
  isCount,
  METRICS,
  periodOf,
  type Reading,
  readMetrics,
  type ShownMetric,
} from './metrics.ts'
import { say } from './words.ts'
import './dashboard.css'

const DAYS = ['1', '7', '30', '90'] as const
const GROUPS = ['customers', 'people', 'service'] as const
const ALL: readonly ShownMetric[] = GROUPS.flatMap((group) => METRICS[group])

/** How it goes, beside how it went; behind every number are its conversations. */
export function Screen() {
  const { query } = place.value
  const days = DAYS.find((each) => each === query.days) ?? '7'
  const metric = ALL.find((each) => each === query.metric) ?? 'turns'
  const now = useMemo(() => Date.now(), [days])
  const readings = useResource(`${days} ${now}`, (signal) => readMetrics(ALL, Number(days), now, signal))
  return (
    <Page
      title={say('title')}
      bar={
        <Tabs
          label={say('period')}
          chosen={days}
          onChoose={(name) => go(to('dashboard', { days: name, metric }))}
          tabs={DAYS.map((name) => ({ name, text: say(name) }))}
        />
      }
    >
      <div class="dashboard">
        <div class="stack">
          <Shown of={readings}>
            {(all) => (
              <>
                {GROUPS.map((group) => (
                  <section key={group} class="stack">
                    <h2>{say(group)}</h2>
                    <ul class="dashboard-numbers">
                      {METRICS[group].map((name) => {
                        const reading = all.find((each) => each.metric === name)
                        return (
                          reading && (
                            <NumberOf key={name} name={name} reading={reading} days={days} isChosen={name === metric} />
                          )
                        )
                      })}
                    </ul>
                  </section>
                ))}
                <Lines name={metric} reading={all.find((each) => each.metric === metric)} />
              </>
            )}
          </Shown>
        </div>
        <aside class="stack" aria-label={say('conversations')}>
          {may('agent') && (
            <ConversationsBehind
              metric={metric}
              period={periodOf(Number(days), now)}
              name={say(metric)}
              format={isCount(metric) ? undefined : (value) => formatMetric(metric, value)}
            />
          )}
          <HotQuestions />
        </aside>
      </div>
    </Page>
  )
}

function NumberOf(props: { name: ShownMetric; reading: Reading; days: string; isChosen: boolean }) {
  const { name, reading, days, isChosen } = props
  return (
    <li>
      <a href={to('dashboard', { days, metric: name })} aria-current={isChosen || undefined}>
        <span class="second small">{say(name)}</span>
        <span class="big-number">{formatMetric(name, reading.value)}</span>
        <span class="second small">{inWords(name, reading)}</span>
      </a>
    </li>
  )
}

/** What a number was before, and whether the difference may be chance: "was 35, 20% more · hardly chance". */
function inWords(name: ShownMetric, reading: Reading): string {
  const change = changeOf(reading)
  if (!change) return say(reading.value === reading.valueBefore ? 'same' : 'nothingBefore')
  const size = `, ${say(change.direction, { share: formatShare(change.share) })}`
  const was = say('was', { before: formatMetric(name, reading.valueBefore) })
  return [`${was}${size}`, change.likelihood && say(change.likelihood)].filter(Boolean).join(' · ')
}

function Lines({ name, reading }: { name: ShownMetric; reading: Reading | undefined }) {
  if (!reading) return null
  const times = reading.points.map(({ at }) => Date.parse(at) / 1000)
  const before = times.map((_, index) => reading.before[index]?.value ?? null)
  return (
    <section class="stack">
      <div class="row">
        <h2 class="grow">{say(name)}</h2>
        <span class="small row">
          <span class="dashboard-key" /> {say('now')}
        </span>
        <span class="small row">
          <span class="dashboard-key is-before" /> {say('before')}
        </span>
      </div>
      <Chart
        label={say('chart', { name: say(name) })}
        times={times}
        lines={[
          { label: say('now'), values: reading.points.map(({ value }) => value), colour: '--accent' },
          { label: say('before'), values: before, colour: '--second', isDashed: true },
        ]}
      />
    </section>
  )
}

function HotQuestions() {
  const dashboard = useResource('dashboard', (signal) => getOperationsDashboard(desk, { signal }))
  return (
    <section class="stack">
      <h2>{say('hot')}</h2>
      <Shown of={dashboard} rows={3}>
        {({ hot_questions: all }) => (
          <ol class="dense">
            {all.length === 0 && <li class="second">{say('none')}</li>}
            {all.map(({ question, count }) => (
              <li key={question} class="row dashboard-line">
                <a class="grow clip" href={to('playground', { q: question })}>
                  {question}
                </a>
                <span class="number">{formatNumber(count)}</span>
              </li>
            ))}
          </ol>
        )}
      </Shown>
    </section>
  )
}
