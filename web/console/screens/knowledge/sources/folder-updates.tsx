import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import {
  type GetUpdateStatus,
  getUpdateStatus,
  updateKnowledgeFromChanges,
  updateKnowledgeFromFolder,
} from '../../../../../clients/typescript/src/index.ts'
import { formatDuration } from '../../../../shared/words.ts'
import { desk } from '../../../api.ts'
import { may } from '../../../shell/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/fields.tsx'
import { Shown, useResource } from '../../../ui/resource.tsx'
import { Progress } from '../../../ui/states.tsx'
import { Ago } from '../../../ui/time.tsx'
import { changes } from '../upload/uploads.ts'
import { say } from './words.ts'

type Status = GetUpdateStatus['result']
type LastUpdate = Extract<Status['last_update'], { mode: unknown }>

const ASK_MS = 2_000

/** Documents that are kept as they are in a folder of the machine. */
export function FolderUpdates() {
  const status = useResource('update', (signal) => getUpdateStatus(desk, { signal }))
  const running = status.data.value?.running ?? null
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => void status.reload(), ASK_MS)
    return () => {
      clearInterval(timer)
      changes.value++
    }
  }, [running?.started_at])
  return (
    <section class="source" aria-label={say('folder')}>
      <h2>{say('folder')}</h2>
      <p class="second dense">{say('folderText')}</p>
      {running ? (
        <Progress label={say('updating', { path: running.path })} done={running.processed} total={running.total} />
      ) : (
        may('knowledge') && <FolderForm onRun={(run) => watch(run, status.reload)} />
      )}
      <Shown of={status} rows={2}>
        {({ last_update }) => (
          <>
            <h3>{say('lastUpdate')}</h3>
            {isUpdate(last_update) ? <Last update={last_update} /> : <p class="second dense">{say('noUpdate')}</p>}
          </>
        )}
      </Shown>
    </section>
  )
}

/** The answer comes when all is done; meanwhile its progress is asked for. */
async function watch(run: Promise<unknown>, reload: () => Promise<void>): Promise<void> {
  const timer = setTimeout(() => void reload(), ASK_MS / 4)
  try {
    await run
    changes.value++
  } finally {
    clearTimeout(timer)
    await reload()
  }
}

function isUpdate(update: Status['last_update']): update is LastUpdate {
  return 'mode' in update
}

function Last({ update }: { update: LastUpdate }) {
  const { path, finished_at, duration_seconds, errors } = update
  return (
    <>
      <p class="row dense">
        <span class="clip grow">{path}</span>
        <span class="second">
          <Ago at={finished_at} /> {say('took', { time: formatDuration(duration_seconds) })}
        </span>
      </p>
      <p class="second dense">
        {say('updateCounts', {
          scanned: update.scanned,
          added: update.added,
          updated: update.updated,
          skipped: update.skipped,
          deleted: update.deleted,
          failed: update.failed,
        })}
      </p>
      {errors.length > 0 && (
        <ul class="failures dense">
          {errors.map((error) => (
            <li key={error}>{error}</li>
          ))}
        </ul>
      )}
    </>
  )
}

function FolderForm({ onRun }: { onRun: (run: Promise<unknown>) => Promise<void> }) {
  const path = useSignal('')
  const isAsking = useSignal(false)
  const dir_path = path.value.trim()
  return (
    <form class="stack" onSubmit={(event) => event.preventDefault()}>
      <TextField
        label={say('path')}
        value={path.value}
        placeholder="/srv/help"
        onInput={(value) => (path.value = value)}
      />
      <div class="row">
        <Button
          type="submit"
          disabled={dir_path === ''}
          onPress={() => onRun(updateKnowledgeFromChanges(desk, { body: { dir_path } }))}
        >
          {say('incremental')}
        </Button>
        <Button kind="danger" disabled={dir_path === ''} onPress={() => void (isAsking.value = true)}>
          {say('full')}
        </Button>
      </div>
      {isAsking.value && (
        <Confirm
          title={say('fullTitle')}
          text={say('fullText', { path: dir_path })}
          action={say('full')}
          onClose={() => (isAsking.value = false)}
          onConfirm={() => onRun(updateKnowledgeFromFolder(desk, { body: { dir_path } }))}
        />
      )}
    </form>
  )
}
