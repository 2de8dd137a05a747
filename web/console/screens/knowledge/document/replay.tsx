import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import {
  type ReplayKnowledgeDocumentVersion,
  replayKnowledgeDocumentVersion,
} from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { may } from '../../../shell/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Failed, Progress } from '../../../ui/states.tsx'
import { Tag, type Tone } from '../../../ui/tag.tsx'
import { say } from '../words.ts'

type Result = ReplayKnowledgeDocumentVersion['result']
type Item = Result['items'][number]

const TONES: Readonly<Record<Item['change'], Tone>> = {
  answered: 'good',
  improved: 'good',
  changed: 'accent',
  worse: 'bad',
}
/** What may do harm first. */
const ORDER: readonly Item['change'][] = ['worse', 'changed', 'improved', 'answered']

interface Props {
  docId: string
  from: string
  to: string
  isStaff: boolean
}

/** Which questions of customers the later version answers otherwise: asked again, with nothing stored. */
export function Replay({ docId, from, to, isStaff }: Props) {
  const state = useSignal<{ result?: Result; error?: unknown; own?: AbortController }>({})
  const run = () => {
    state.value.own?.abort()
    const own = new AbortController()
    state.value = { own }
    const input = { path: { doc_id: docId, version: to }, body: { against: from }, signal: own.signal }
    replayKnowledgeDocumentVersion(desk, input).then(
      (result) => !own.signal.aborted && (state.value = { result }),
      (error: unknown) => !own.signal.aborted && (state.value = { error }),
    )
  }
  const isUseful = may('knowledge') && from !== to && !isStaff
  useEffect(() => {
    if (isUseful) run()
    return () => state.value.own?.abort()
  }, [docId, from, to])
  const cancel = () => {
    state.value.own?.abort()
    state.value = {}
  }
  const { result, error, own } = state.value
  return (
    <section class="replay" aria-label={say('replay')}>
      <h2>{say('replay')}</h2>
      {isStaff && <p class="second dense">{say('replayStaff')}</p>}
      {own && <Progress label={say('replaying')} onCancel={cancel} />}
      {error !== undefined && <Failed error={error} onRetry={run} />}
      {result && <Answers result={result} />}
      {isUseful && !result && !own && !error && <Button onPress={run}>{say('replayNow')}</Button>}
    </section>
  )
}

function Answers({ result: { asked, is_complete, summary, items } }: { result: Result }) {
  const sorted = [...items].sort((a, b) => ORDER.indexOf(a.change) - ORDER.indexOf(b.change))
  return (
    <div class="stack">
      <p class="dense" role="status">
        {asked === 0 ? say('replayNothing') : say('replayed', { n: asked, unchanged: summary.unchanged })}
        {!is_complete && ` ${say('replayCut')}`}
      </p>
      {items.length > 0 && (
        <p class="row">
          {ORDER.filter((change) => summary[change] > 0).map((change) => (
            <Tag key={change} tone={TONES[change]}>
              {summary[change]} {say(`change.${change}`)}
            </Tag>
          ))}
        </p>
      )}
      <ul class="replayed">
        {sorted.map((item, index) => (
          <li key={index}>
            <details open={index === 0}>
              <summary>
                <span class="grow">{item.question}</span>
                <Tag tone={TONES[item.change]}>{say(`change.${item.change}`)}</Tag>
              </summary>
              <div class="replayed-pair">
                <Answer title={say('before')} answer={item.before} />
                <Answer title={say('after')} answer={item.after} />
              </div>
            </details>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Answer({ title, answer }: { title: string; answer: Item['before'] }) {
  return (
    <div>
      <h3>
        {title} · {say(`confidence.${answer.confidence}`)}
      </h3>
      <p class="pre dense">{answer.reply}</p>
      {answer.sources.length > 0 && (
        <p class="second small">{[...new Set(answer.sources.map(({ source }) => source))].join(', ')}</p>
      )}
    </div>
  )
}
