import {
  type GetObservabilityTokenUsage,
  getObservabilityTokenUsage,
  getOperationsSeries,
  getPerformanceCacheStats,
  invalidatePerformanceCache,
} from '../../../../clients/typescript/src/index.ts'
import { formatNumber, formatShare } from '../../../shared/words.ts'
import { desk } from '../../api.ts'
import { ConversationsBehind } from '../../parts/conversations-behind.tsx'
import { go, place, to } from '../../shell/router.ts'
import { may } from '../../shell/session.ts'
import { Button } from '../../ui/button.tsx'
import { Chart } from '../../ui/chart.tsx'
import { Page } from '../../ui/page.tsx'
import { Shown, useResource } from '../../ui/resource.tsx'
import { Empty } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { toast } from '../../ui/toasts.tsx'
import { say } from './words.ts'
import './costs.css'

type Usage = GetObservabilityTokenUsage['result']
const WINDOWS = ['hour', 'day'] as const
const MONTH_MS = 30 * 86_400_000

/** What models were asked, what it cost, and what the cache saved. */
export function Screen() {
  const window = WINDOWS.find((each) => each === place.value.query.window) ?? 'day'
  const usage = useResource(window, (signal) => getObservabilityTokenUsage(desk, { query: { window }, signal }))
  return (
    <Page
      title={say('title')}
      bar={
        <Tabs
          label={say('window')}
          chosen={window}
          onChoose={(name) => go(to('costs', { window: name }))}
          tabs={WINDOWS.map((name) => ({ name, text: say(name) }))}
        />
      }
    >
      <div class="stack costs">
        <Shown of={usage}>
          {(found) =>
            found.total.calls === 0 ? (
              <Empty title={say('noModel')} text={say('noModelText')} />
            ) : (
              <>
                <Sums title={say('byModel')} head={say('model')} rows={found.by_model} usage={found} />
                <Sums
                  title={say('byAgent')}
                  head={say('agent')}
                  rows={found.by_agent}
                  usage={found}
                  addressOf={(agent) => to('traces', { agent, from: localTime(found.from) })}
                />
                {found.estimated && <p class="second">{say('estimated')}</p>}
                {found.unpriced_models.length > 0 && (
                  <p class="second">{say('unpriced', { names: found.unpriced_models.join(', ') })}</p>
                )}
                {may('agent') && (
                  <ConversationsBehind
                    metric="tokens"
                    period={{ from: found.from, to: found.to }}
                    name={say('tokens')}
                    format={formatNumber}
                  />
                )}
              </>
            )
          }
        </Shown>
        <Month metric="tokens" title={say('tokens')} />
        <Month metric="cost" title={say('chart')} />
        <Cache />
      </div>
    </Page>
  )
}

/** As fields for a time take it: without a zone. */
function localTime(iso: string): string {
  const at = new Date(iso)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

function Sums(props: {
  title: string
  head: string
  rows: Usage['by_model']
  usage: Usage
  /** Where the turns behind a row are. */
  addressOf?: (name: string) => string
}) {
  const { title, head, rows, usage, addressOf } = props
  const money = (cost: number | null) =>
    cost === null
      ? '–'
      : formatNumber(
          cost,
          usage.currency ? { style: 'currency', currency: usage.currency, maximumFractionDigits: 4 } : {},
        )
  return (
    <section class="stack">
      <h2>{title}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">{head}</th>
            {(['calls', 'input', 'output', 'cost'] as const).map((name) => (
              <th key={name} scope="col" class="number">
                {say(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...Object.entries(rows), [say('total'), usage.total] as const].map(([name, sum]) => (
            <tr key={name}>
              <th scope="row">{addressOf && sum !== usage.total ? <a href={addressOf(name)}>{name}</a> : name}</th>
              <td class="number">{formatNumber(sum.calls)}</td>
              <td class="number">{formatNumber(sum.input_tokens)}</td>
              <td class="number">{formatNumber(sum.output_tokens)}</td>
              <td class="number">{money(sum.cost)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Month({ metric, title }: { metric: 'tokens' | 'cost'; title: string }) {
  const series = useResource(metric, (signal) => {
    const to = new Date()
    const query = {
      metric,
      from: new Date(to.getTime() - MONTH_MS).toISOString(),
      to: to.toISOString(),
      step: '1d' as const,
    }
    return getOperationsSeries(desk, { query, signal })
  })
  const points = series.data.value?.points ?? []
  if (!points.some(({ value }) => value)) return null
  return (
    <section class="stack">
      <h2>{title}</h2>
      <Chart
        label={title}
        times={points.map(({ at }) => Date.parse(at) / 1000)}
        lines={[{ label: title, values: points.map(({ value }) => value), colour: '--machine' }]}
      />
    </section>
  )
}

function Cache() {
  const stats = useResource('cache', (signal) => getPerformanceCacheStats(desk, { signal }))
  const empty = async () => {
    const { cleared } = await invalidatePerformanceCache(desk)
    toast({ text: say('emptied', { n: cleared }) })
    await stats.reload()
  }
  return (
    <section class="stack">
      <div class="row">
        <h2 class="grow">{say('cache')}</h2>
        {may('admin') && <Button onPress={empty}>{say('empty')}</Button>}
      </div>
      <Shown of={stats} rows={2}>
        {(found) => (
          <dl class="costs-numbers">
            <div>
              <dt class="second small">{say('hitRate')}</dt>
              <dd class="big-number">{formatShare(found.hit_rate, 1)}</dd>
            </div>
            <div>
              <dt class="second small">{say('entries')}</dt>
              <dd class="big-number">
                {formatNumber(found.entries)} / {formatNumber(found.capacity)}
              </dd>
            </div>
            <div>
              <dt class="second small">{say('evictions')}</dt>
              <dd class="big-number">{formatNumber(found.evictions)}</dd>
            </div>
            <div>
              <dt class="second small">{say('seconds')}</dt>
              <dd class="big-number">{formatNumber(found.ttl_seconds)}</dd>
            </div>
          </dl>
        )}
      </Shown>
    </section>
  )
}
