import { useEffect } from 'preact/hooks'
import {
  deleteKnowledgeImportWebsite,
  followKnowledgeImportWebsiteEvents,
  type ListWebsiteImports,
  listWebsiteImports,
  startWebsiteImport,
} from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { may } from '../../../shell/session.ts'
import { Button } from '../../../ui/button.tsx'
import { type Resource, Shown, useResource } from '../../../ui/resource.tsx'
import { Progress } from '../../../ui/states.tsx'
import { Tag, type Tone } from '../../../ui/tag.tsx'
import { When } from '../../../ui/time.tsx'
import { changes } from '../upload/uploads.ts'
import { WebsiteForm } from './website-form.tsx'
import { WebsiteReport } from './website-report.tsx'
import { say } from './words.ts'

type Runs = ListWebsiteImports['result']
export type Run = Runs['runs'][number]

const TONES: Readonly<Record<Run['state'], Tone>> = {
  running: 'accent',
  finished: 'good',
  failed: 'bad',
  cancelled: 'plain',
  interrupted: 'warn',
}

/** Pages of the shop's website as documents: started here, followed as they are read, ended when it is too much. */
export function WebsiteImports() {
  const runs = useResource('website', (signal) => listWebsiteImports(desk, { query: { limit: 20 }, signal }))
  const running = runs.data.value?.runs.find(({ state }) => state === 'running')
  useEffect(() => {
    if (!running) return
    const leaving = new AbortController()
    void follow(running.run_id, runs, leaving.signal)
    return () => leaving.abort()
  }, [running?.run_id])
  const start = async (body: Parameters<typeof startWebsiteImport>[1]['body']) => {
    await startWebsiteImport(desk, { body })
    await runs.reload()
  }
  return (
    <section class="source" aria-label={say('website')}>
      <h2>{say('website')}</h2>
      <p class="second dense">{say('websiteText')}</p>
      {running ? (
        <Progress
          label={say('reading', { url: running.subject })}
          done={running.progress.done}
          {...(running.progress.total > 0 ? { total: running.progress.total } : {})}
          onCancel={may('knowledge') ? () => cancel(running, runs) : undefined}
        />
      ) : (
        <WebsiteForm onStart={start} />
      )}
      <Shown of={runs} rows={2}>
        {({ runs: all }) => (
          <>
            <h3>{say('earlier')}</h3>
            {all.length === 0 && <p class="second dense">{say('noImports')}</p>}
            <ul class="runs">
              {all
                .filter(({ state }) => state !== 'running')
                .map((run) => (
                  <li key={run.run_id}>
                    <div class="row">
                      <span class="clip grow dense">{run.subject}</span>
                      <Tag tone={TONES[run.state]}>{say(`state.${run.state}`)}</Tag>
                      <span class="second small">
                        <When at={run.started_at} />
                      </span>
                      {may('knowledge') && !running && (
                        <Button isSmall onPress={() => start({ url: run.subject })}>
                          {say('again')}
                        </Button>
                      )}
                    </div>
                    {run.error && <p class="dense second">{run.error}</p>}
                    {run.result && <WebsiteReport address={run.result} />}
                  </li>
                ))}
            </ul>
          </>
        )}
      </Shown>
    </section>
  )
}

async function cancel({ run_id }: Run, runs: Resource<Runs>): Promise<void> {
  await deleteKnowledgeImportWebsite(desk, { path: { run_id } })
  await runs.reload()
}

async function follow(run_id: string, runs: Resource<Runs>, signal: AbortSignal): Promise<void> {
  try {
    for await (const { event, data } of followKnowledgeImportWebsiteEvents(desk, { path: { run_id }, signal })) {
      if (event === 'closing' || !runs.data.value) continue
      runs.data.value = { runs: runs.data.value.runs.map((run) => (run.run_id === run_id ? data : run)) }
      if (event !== 'progress') changes.value++
    }
  } catch {
    if (!signal.aborted) await runs.reload()
  }
}
