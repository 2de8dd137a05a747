import {
  cancelMiningRun,
  type GetMiningStatus,
  getMiningStatus,
  listMiningRuns,
  startMiningRun,
} from '../../../../clients/typescript/src/index.ts'
import { formatNumber, formatShare } from '../../../shared/words.ts'
import { desk } from '../../api.ts'
import { RunProgress, sayEnd } from '../../parts/runs.tsx'
import { to } from '../../shell/router.ts'
import { may } from '../../shell/session.ts'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Shown, useResource } from '../../ui/resource.tsx'
import { Empty } from '../../ui/states.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Ago } from '../../ui/time.tsx'
import { ImportButton } from './import.tsx'
import { say } from './words.ts'

type Status = GetMiningStatus['result']

/** Frequent problems of old tickets, on their way to become solutions. */
export function Screen() {
  const status = useResource('status', (signal) => getMiningStatus(desk, { signal }))
  const runs = useResource('runs', (signal) => listMiningRuns(desk, { query: { limit: 5 }, signal }))
  const running = runs.data.value?.runs.find(({ state }) => state === 'running')
  const start = async () => {
    const run = await startMiningRun(desk, { body: {} })
    // A short one may have ended by the time that the list comes.
    runs.data.value = { runs: [{ ...run, state: 'running' as const }, ...(runs.data.value?.runs ?? [])] }
  }
  return (
    <Page
      title={say('title')}
      actions={
        may('knowledge') && (
          <>
            <ImportButton onImported={status.reload} />
            <Button kind="primary" disabled={running !== undefined} onPress={start}>
              {say('mine')}
            </Button>
          </>
        )
      }
    >
      <div class="stack">
        {running && (
          <RunProgress
            key={running.run_id}
            run={running}
            events="GET /api/v1/mining/runs/{run_id}/events"
            label={say('running')}
            onCancel={(id) => cancelMiningRun(desk, { path: { run_id: id } })}
            onEnd={async (run) => {
              sayEnd(run)
              await Promise.all([runs.reload(), status.reload()])
            }}
          />
        )}
        <Shown of={status}>
          {(found) =>
            found.report_id === null ? <Empty title={say('none')} text={say('noneText')} /> : <Found status={found} />
          }
        </Shown>
      </div>
    </Page>
  )
}

function Found({ status }: { status: Status }) {
  return (
    <>
      <header class="row">
        <h2 class="grow">
          {say('found', { n: status.items.length })}{' '}
          <span class="second">{say('tickets', { n: status.total_tickets })}</span>
        </h2>
        <span class="second dense">
          {say('last')} {status.finished_at && <Ago at={status.finished_at} />}
        </span>
        {status.ingested > 0 && (
          <a class="button primary" href={to('solutions', { status: 'pending' })}>
            {say('review')}
          </a>
        )}
      </header>
      {status.errors.length > 0 && (
        <details>
          <summary>{say('errors')}</summary>
          <ul class="dense">
            {status.errors.map((error) => (
              <li key={error}>{error}</li>
            ))}
          </ul>
        </details>
      )}
      {status.items.length === 0 ? (
        <p class="second">{say('nothing')}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col" class="number">
                {say('frequency')}
              </th>
              <th scope="col">{say('question')}</th>
              <th scope="col">{say('solution')}</th>
              <th scope="col" class="number">
                {say('confidence')}
              </th>
              <th scope="col">{say('open')}</th>
            </tr>
          </thead>
          <tbody>
            {status.items.map((item) => (
              <tr key={item.cluster_id}>
                <td class="number">{formatNumber(item.frequency)}</td>
                <td>
                  <strong>{item.question}</strong>
                  <p class="second small">{item.keywords.join(' · ')}</p>
                </td>
                <td>{item.representative_solution || <span class="second">{say('noSolution')}</span>}</td>
                <td class="number">{formatShare(item.confidence)}</td>
                <td>
                  {item.covered ? (
                    <Tag tone="good">{say('covered')}</Tag>
                  ) : item.candidate_id ? (
                    <a href={to('solutions', item.candidate_id)}>{say('proposed')}</a>
                  ) : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {status.unclustered && status.unclustered.count > 0 && <Rest of={status.unclustered} />}
    </>
  )
}

/** Tickets that no problem was made of, so that nobody takes the list above for all of them. */
function Rest({ of: { count, samples } }: { of: NonNullable<Status['unclustered']> }) {
  if (samples.length === 0) return <p class="second">{say('unclustered', { n: count })}</p>
  return (
    <details>
      <summary>{say('unclustered', { n: count })}</summary>
      <ul class="dense" aria-label={say('some')}>
        {samples.map(({ ticket_id, text }) => (
          <li key={ticket_id}>
            {text} <span class="second small">{ticket_id}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
