import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import {
  addEvaluationTestset,
  cancelEvaluationRun,
  deleteEvaluationTestset,
  listEvaluationRuns,
  listEvaluationTestsets,
  startEvaluationRun,
} from '../../../../clients/typescript/src/index.ts'
import { desk } from '../../api.ts'
import { RunProgress, resultOf, sayEnd } from '../../parts/runs.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { explain } from '../../ui/failure.ts'
import { Choice } from '../../ui/fields.tsx'
import { useResource } from '../../ui/resource.tsx'
import { toast } from '../../ui/toasts.tsx'
import { nameOfSet, say } from './words.ts'

/** Chooses a test set and runs it; a run that goes on is shown in its place. */
export function Start({ onFinished }: { onFinished: (report: string | null) => unknown }) {
  const sets = useResource('testsets', (signal) => listEvaluationTestsets(desk, { signal }))
  const runs = useResource('runs', (signal) => listEvaluationRuns(desk, { query: { limit: 5 }, signal }))
  const chosen = useSignal('builtin')
  const isRemoving = useSignal(false)
  const running = runs.data.value?.runs.find(({ state }) => state === 'running')
  if (running) {
    return (
      <div class="grow">
        <RunProgress
          key={running.run_id}
          run={running}
          events="GET /api/v1/evaluation/runs/{run_id}/events"
          label={say('running', { name: nameOfSet(running.subject) })}
          onCancel={(id) => cancelEvaluationRun(desk, { path: { run_id: id } })}
          onEnd={async (run) => {
            sayEnd(run)
            await runs.reload()
            await onFinished(resultOf(run))
          }}
        />
      </div>
    )
  }
  const start = async () => {
    const run = await startEvaluationRun(desk, { body: { testset: chosen.value } })
    // A short one may have ended by the time that the list comes.
    runs.data.value = { runs: [{ ...run, state: 'running' as const }, ...(runs.data.value?.runs ?? [])] }
  }
  return (
    <>
      <Choice
        isBare
        label={say('set')}
        value={chosen.value}
        onChange={(name) => (chosen.value = name)}
        options={(sets.data.value ?? []).map(({ name, cases }) => ({
          value: name,
          text: `${nameOfSet(name)} · ${say('cases', { n: cases })}`,
        }))}
      />
      <Button kind="primary" onPress={start}>
        {say('run')}
      </Button>
      <span class="grow" />
      {chosen.value !== 'builtin' && (
        <Button kind="ghost" onPress={() => void (isRemoving.value = true)}>
          {say('removeSet')}
        </Button>
      )}
      <UploadSet
        onUploaded={async (name) => {
          await sets.reload()
          chosen.value = name
        }}
      />
      {isRemoving.value && (
        <Confirm
          title={say('removeSet')}
          text={say('removeText')}
          action={say('removeSet')}
          onClose={() => (isRemoving.value = false)}
          onConfirm={async () => {
            await deleteEvaluationTestset(desk, { path: { name: chosen.value } })
            chosen.value = 'builtin'
            toast({ text: say('removed') })
            await sets.reload()
          }}
        />
      )}
    </>
  )
}

function UploadSet({ onUploaded }: { onUploaded: (name: string) => Promise<void> }) {
  const file = useRef<HTMLInputElement>(null)
  const upload = async (chosen: File | undefined) => {
    if (!chosen) return
    try {
      const { name, cases } = await addEvaluationTestset(desk, {
        form: { file: { content: chosen, name: chosen.name } },
      })
      toast({ text: say('uploaded', { name, n: cases }) })
      await onUploaded(name)
    } catch (error) {
      toast({ kind: 'bad', text: explain(error) })
    }
  }
  return (
    <>
      <Button onPress={() => file.current?.click()}>{say('upload')}</Button>
      <input
        ref={file}
        type="file"
        hidden
        accept=".json,.jsonl,.ndjson,.csv"
        aria-label={say('upload')}
        onChange={({ currentTarget }) => {
          void upload(currentTarget.files?.[0])
          currentTarget.value = ''
        }}
      />
    </>
  )
}
