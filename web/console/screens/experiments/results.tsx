import { useSignal } from '@preact/signals'
import {
  deleteOperationsExperiment,
  endOperationsExperiment,
  type ListOperationsExperimentResults,
  listOperationsExperimentResults,
} from '../../../../clients/typescript/src/index.ts'
import { formatNumber, formatShare, language } from '../../../shared/words.ts'
import { desk } from '../../api.ts'
import { go, to } from '../../shell/router.ts'
import { may } from '../../shell/session.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { nameOfParam } from '../../ui/params.ts'
import { Shown, useResource } from '../../ui/resource.tsx'
import { Tag } from '../../ui/tag.tsx'
import type { Experiment } from './index.tsx'
import { nameOfMeasure, say } from './words.ts'

type Found = ListOperationsExperimentResults['result']
type Comparison = NonNullable<Found['judgement']>['comparisons'][number]
type JudgedBy = NonNullable<Found['judgement']>['judged_by']

/** What an experiment has shown until now, in words first. */
export function Results({ experiment, reload }: { experiment: Experiment; reload: () => Promise<void> }) {
  const path = { name: experiment.name }
  const results = useResource(experiment.name, (signal) => listOperationsExperimentResults(desk, { path, signal }))
  const asked = useSignal<'end' | 'remove' | null>(null)
  return (
    <article class="stack">
      <header class="row">
        <h2 class="grow">{experiment.name}</h2>
        {may('admin') && (
          <>
            {experiment.state === 'running' && <Button onPress={() => void (asked.value = 'end')}>{say('end')}</Button>}
            <Button kind="danger" onPress={() => void (asked.value = 'remove')}>
              {say('remove')}
            </Button>
          </>
        )}
      </header>
      {experiment.description && <p>{experiment.description}</p>}
      <Shares experiment={experiment} />
      <Shown of={results}>
        {(found) => (
          <>
            <Judgement found={found} />
            <Measured found={found} />
          </>
        )}
      </Shown>
      {asked.value === 'end' && (
        <Confirm
          title={say('end')}
          text={say('endText')}
          action={say('end')}
          onClose={() => (asked.value = null)}
          onConfirm={async () => {
            await endOperationsExperiment(desk, { path })
            await reload()
          }}
        />
      )}
      {asked.value === 'remove' && (
        <Confirm
          title={say('remove')}
          text={say('removeText')}
          action={say('remove')}
          onClose={() => (asked.value = null)}
          onConfirm={async () => {
            await deleteOperationsExperiment(desk, { path })
            go(to('experiments'))
            await reload()
          }}
        />
      )}
    </article>
  )
}

function Shares({
  experiment: { variants, traffic_split: split, variant_params: params },
}: {
  experiment: Experiment
}) {
  return (
    <ul class="dense">
      {variants.map((variant) => (
        <li key={variant}>
          <strong>{variant}</strong> <span class="number">{formatShare(split[variant] ?? 0)}</span>{' '}
          <span class="second">
            {Object.entries(params[variant] ?? {})
              .map(([name, value]) => `${nameOfParam(name as 'rrf_k')} ${value}`)
              .join(', ')}
          </span>
        </li>
      ))}
    </ul>
  )
}

const TONES = { no_data: 'plain', too_few: 'plain', no_difference: 'plain', better: 'good', worse: 'bad' } as const

function Judgement({ found: { judgement } }: { found: Found }) {
  if (!judgement) return <p class="second">{say('noJudgement')}</p>
  return (
    <section class="stack">
      <p class="second">
        {say('metric')}: {say(`metric.${judgement.judged_by}`)} · {say(judgement.is_final ? 'final' : 'interim')}
      </p>
      {judgement.comparisons.map((comparison) => (
        <ComparisonView key={comparison.variant} comparison={comparison} judgedBy={judgement.judged_by} />
      ))}
    </section>
  )
}

/** Ratings are points, all else that is judged by are shares. */
function formatValue(judgedBy: JudgedBy, value: number): string {
  return judgedBy === 'rating' ? formatNumber(value, { maximumFractionDigits: 2 }) : formatShare(value, 1)
}

function rangeOf(ends: readonly number[] | null, format: (value: number) => string): string {
  const [low, high] = ends ?? []
  return low === undefined || high === undefined ? '–' : `${format(low)} … ${format(high)}`
}

/** Beyond this one of twenty falls by chance. */
const UNLIKELY = 0.05
const FORMATS: Readonly<Record<string, (value: number) => string>> = {
  confident: (value) => formatShare(value, 1),
  escalated: (value) => formatShare(value, 1),
  contained: (value) => formatShare(value, 1),
  resolved: (value) => formatShare(value, 1),
  feedback: (value) => formatShare(value, 1),
  response_time_ms: (value) =>
    formatNumber(value, { style: 'unit', unit: 'millisecond', unitDisplay: 'short', maximumFractionDigits: 1 }),
}

/** What else was measured: it decides nothing, and says at what price. */
function Measured({ found: { variants, judgement, ...found } }: { found: Found }) {
  const comparison = found.comparison.filter(({ metric }) => metric !== judgement?.metric)
  if (comparison.length === 0) return null
  return (
    <section class="stack">
      <h3>{say('measured')}</h3>
      <table>
        <tbody>
          {comparison.map(({ metric, baseline, variant, difference, p_value: p }) => {
            const format = FORMATS[metric] ?? ((value: number) => formatNumber(value, { maximumFractionDigits: 3 }))
            const mean = (name: string) => format(variants[name]?.metrics[metric]?.mean ?? 0)
            return (
              <tr key={`${metric} ${variant}`}>
                <th scope="row">{nameOfMeasure(metric as 'confident')}</th>
                <td>
                  {say(difference === 0 ? 'same' : difference > 0 ? 'more' : 'less', {
                    variant,
                    baseline,
                    a: mean(baseline),
                    b: mean(variant),
                  })}
                </td>
                <td class="second">
                  {p === null || difference === 0 ? '' : say(p < UNLIKELY ? 'unlikely' : 'chance')}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

function ComparisonView({ comparison, judgedBy }: { comparison: Comparison; judgedBy: JudgedBy }) {
  const { baseline, variant, values, words, verdict, is_enough: isEnough, needed_per_variant: needed } = comparison
  const number = (value: number) => formatValue(judgedBy, value)
  return (
    <div class="stack">
      <p>
        <Tag tone={TONES[verdict]}>{variant}</Tag> {words[language.value]}
      </p>
      {!isEnough && (verdict === 'too_few' || verdict === 'no_data') && (
        <p class="second">{say('needed', { n: needed })}</p>
      )}
      <table>
        <thead>
          <tr>
            <th scope="col">{say('variant')}</th>
            <th scope="col" class="number">
              {say('sessions')}
            </th>
            <th scope="col" class="number">
              {say('mean')}
            </th>
            <th scope="col" class="number">
              {say('range')}
            </th>
          </tr>
        </thead>
        <tbody>
          {(['baseline', 'variant'] as const).map((side) => (
            <tr key={side}>
              <th scope="row">{side === 'baseline' ? baseline : variant}</th>
              <td class="number">{formatNumber(values[side].count)}</td>
              <td class="number">{values[side].mean === null ? '–' : number(values[side].mean)}</td>
              <td class="number">{rangeOf(values[side].ci95, number)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
