import { signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { checkKnowledgeQuality } from '../../../../../clients/typescript/src/index.ts'
import { formatShare } from '../../../../shared/words.ts'
import { desk, isAborted } from '../../../api.ts'
import { to } from '../../../shell/router.ts'
import { may } from '../../../shell/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty, Failed, Progress } from '../../../ui/states.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { Ago } from '../../../ui/time.tsx'
import { FindingList } from './finding-list.tsx'
import { findingsOf, type Report } from './findings.ts'
import { say } from './words.ts'
import './quality.css'

/** Kept while other screens are open: a check of a large base takes a while. */
const report = signal<Report | null>(null)

/** What is wrong in the knowledge base, and the ways to mend it right here. */
export function Quality() {
  const own = useRef<AbortController | null>(null)
  const isRunning = useSignal(false)
  const error = useSignal<unknown>(null)
  useEffect(() => () => own.current?.abort(), [])
  const check = async () => {
    const running = new AbortController()
    own.current = running
    isRunning.value = true
    error.value = null
    try {
      report.value = await checkKnowledgeQuality(desk, { body: {}, signal: running.signal })
    } catch (failure) {
      if (!isAborted(failure)) error.value = failure
    }
    isRunning.value = false
  }
  return (
    <div class="quality" tabIndex={0} role="group" aria-label={say('intro')}>
      {isRunning.value && <Progress label={say('checking')} onCancel={() => own.current?.abort()} />}
      {error.value !== null && !isRunning.value && <Failed error={error.value} onRetry={check} />}
      {report.value ? (
        <Result report={report.value} onCheck={isRunning.value || !may('knowledge') ? undefined : check} />
      ) : (
        !isRunning.value &&
        error.value === null && (
          <Empty title={say('intro')} text={say('introText')}>
            {may('knowledge') && (
              <Button kind="primary" onPress={() => void check()}>
                {say('check')}
              </Button>
            )}
          </Empty>
        )
      )}
    </div>
  )
}

function Result({ report, onCheck }: { report: Report; onCheck: (() => Promise<void>) | undefined }) {
  const { passed, total_chunks, duplicate_rate, accepted_count, sensitive_hits, missing_terms, checked_at } = report
  return (
    <div class="stack">
      <p class="row" role="status">
        <Tag tone={passed ? 'good' : 'warn'}>{say(passed ? 'passed' : 'notPassed')}</Tag>
        <span class="dense">{say('checked', { n: total_chunks })}</span>
        <span class="dense second">{say('duplicateRate', { share: formatShare(duplicate_rate, 1) })}</span>
        {accepted_count > 0 && <span class="dense second">{say('accepted', { n: accepted_count })}</span>}
        <span class="dense second">
          <Ago at={checked_at} />
        </span>
        <span class="grow" />
        {onCheck && <Button onPress={() => void onCheck()}>{say('checkAgain')}</Button>}
      </p>
      <FindingList key={checked_at} findings={findingsOf(report)} />
      {sensitive_hits.length > 0 && (
        <section class="stack" aria-label={say('sensitive')}>
          <h2>
            {say('sensitive')} <span class="second number">{sensitive_hits.length}</span>
          </h2>
          <ul class="words">
            {sensitive_hits.slice(0, 100).map((hit) => (
              <li key={`${hit.chunk_id} ${hit.word}`}>
                <Tag tone="bad">{hit.word}</Tag>
                <span class="grow dense">{hit.excerpt}</span>
                <a class="dense" href={to('knowledge', hit.doc_id)}>
                  {hit.source}
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
      {missing_terms.length > 0 && (
        <section class="stack" aria-label={say('missing')}>
          <h2>
            {say('missing')} <span class="second number">{missing_terms.length}</span>
          </h2>
          <p class="dense">{missing_terms.join(', ')}</p>
        </section>
      )}
    </div>
  )
}
