import { useSignal } from '@preact/signals'
import {
  cancelTunerRun,
  type GetTunerSearch,
  getTunerSearch,
  listEvaluationTestsets,
  listTunerRuns,
  startTunerRun,
} from '../../../../clients/typescript/src/index.ts'
import { formatShare } from '../../../shared/words.ts'
import { desk } from '../../api.ts'
import { RunProgress, resultOf, sayEnd } from '../../parts/runs.tsx'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/fields.tsx'
import { nameOfParam } from '../../ui/params.ts'
import { useResource } from '../../ui/resource.tsx'
import type { Changes } from './index.tsx'
import { say } from './words.ts'

type Search = GetTunerSearch['result']

/** Has the service look for better settings itself. */
export function Auto({ onTake }: { onTake: (changes: Changes) => Promise<void> }) {
  const sets = useResource('testsets', (signal) => listEvaluationTestsets(desk, { signal }))
  const runs = useResource('runs', (signal) => listTunerRuns(desk, { query: { limit: 5 }, signal }))
  const set = useSignal('builtin')
  const found = useSignal<Search | null>(null)
  const running = runs.data.value?.runs.find(({ state }) => state === 'running')
  const start = async () => {
    found.value = null
    const run = await startTunerRun(desk, { body: { testset: set.value, apply: false } })
    // A short one may have ended by the time that the list comes.
    runs.data.value = { runs: [{ ...run, state: 'running' as const }, ...(runs.data.value?.runs ?? [])] }
  }
  return (
    <section class="stack">
      <h2>{say('auto')}</h2>
      <p class="second">{say('autoText')}</p>
      {running ? (
        <RunProgress
          key={running.run_id}
          run={running}
          events="GET /api/v1/tuner/runs/{run_id}/events"
          label={say('running', { name: running.subject })}
          onCancel={(id) => cancelTunerRun(desk, { path: { run_id: id } })}
          onEnd={async (run) => {
            sayEnd(run)
            const id = resultOf(run)
            if (id) found.value = await getTunerSearch(desk, { path: { search_id: id } })
            await runs.reload()
          }}
        />
      ) : (
        <div class="row">
          <Choice
            isBare
            label={say('set')}
            value={set.value}
            onChange={(name) => (set.value = name)}
            options={(sets.data.value ?? []).map(({ name }) => ({
              value: name,
              text: name === 'builtin' ? say('builtin') : name,
            }))}
          />
          <Button onPress={start}>{say('start')}</Button>
        </div>
      )}
      {found.value && <Found search={found.value} onTake={onTake} />}
    </section>
  )
}

function Found({
  search: { best, current, candidates_tried: tried },
  onTake,
}: {
  search: Search
  onTake: (changes: Changes) => Promise<void>
}) {
  const changes = Object.entries(best.changes)
  if (changes.length === 0) return <p>{say('foundNone')}</p>
  const shares = {
    from: formatShare(current.held_out.answer_accuracy, 1),
    to: formatShare(best.held_out.answer_accuracy, 1),
  }
  return (
    <div class="stack" role="status">
      <p>{say('found', { n: tried })}</p>
      <ul class="dense">
        {changes.map(([name, { from, to }]) => (
          <li key={name}>
            {nameOfParam(name as 'rrf_k')}:{' '}
            <span class="number">
              {from} → {to}
            </span>
          </li>
        ))}
      </ul>
      <p class="second">{say('heldOut', shares)}</p>
      <div>
        <Button
          kind="primary"
          onPress={() => onTake(Object.fromEntries(changes.map(([name, { to }]) => [name, to])) as Changes)}
        >
          {say('take')}
        </Button>
      </div>
    </div>
  )
}
