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
import { say } from './words.ts'

type Found = ListOperationsExperimentResults['result']
type Comparison = NonNullable<Found['judgement']>['comparisons'][number]

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
      <Shown of={results}>{(found) => <Judgement found={found} />}</Shown>
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
        <ComparisonView key={comparison.variant} comparison={comparison} />
      ))}
    </section>
  )
}

function ComparisonView({ comparison }: { comparison: Comparison }) {
  const { baseline, variant, values, words, verdict, is_enough: isEnough, needed_per_variant: needed } = comparison
  const number = (value: number | null | undefined) =>
    value === null || value === undefined ? '–' : formatNumber(value, { maximumFractionDigits: 3 })
  return (
    <div class="stack">
      <p>
        <Tag tone={TONES[verdict]}>{variant}</Tag> {words[language.value]}
      </p>
      {!isEnough && <p class="second">{say('needed', { n: needed })}</p>}
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
              <td class="number">{number(values[side].mean)}</td>
              <td class="number">
                {number(values[side].ci95?.[0])} … {number(values[side].ci95?.[1])}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
