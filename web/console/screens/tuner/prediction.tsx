import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { listMonitorTraces, type SearchKnowledge, searchKnowledge } from '../../../../clients/typescript/src/index.ts'
import { desk, isAborted } from '../../api.ts'
import { to } from '../../shell/router.ts'
import { Button } from '../../ui/button.tsx'
import { explain } from '../../ui/failure.ts'
import { Progress } from '../../ui/states.tsx'
import { toast } from '../../ui/toasts.tsx'
import type { Changes } from './index.tsx'
import { say } from './words.ts'

type Told = SearchKnowledge['result']['reply']
type Kind = 'better' | 'worse' | 'other' | 'same'
interface Predicted {
  question: string
  before: Told
  after: Told
  kind: Kind
}

const QUESTIONS = 40
/** Questions that are asked at the same time. */
const AT_ONCE = 3
const KINDS: readonly Kind[] = ['worse', 'better', 'other', 'same']

/** Asks the latest questions with the settings in force and with others, and says what becomes of the answers. */
export function Prediction({ changes }: { changes: Changes }) {
  const progress = useSignal<{ done: number; total: number } | null>(null)
  const found = useSignal<readonly Predicted[] | null>(null)
  const running = useRef<AbortController | null>(null)
  const isEmpty = Object.keys(changes).length === 0
  useEffect(() => {
    found.value = null
    return () => running.current?.abort()
  }, [changes])
  const predict = async () => {
    const end = new AbortController()
    running.current = end
    progress.value = { done: 0, total: QUESTIONS }
    try {
      const questions = await latestQuestions(end.signal)
      progress.value = { done: 0, total: questions.length }
      if (questions.length === 0) toast({ text: say('noQuestions') })
      else
        found.value = await askAll(
          questions,
          changes,
          end.signal,
          (done) => (progress.value = { done, total: questions.length }),
        )
    } catch (error) {
      if (!isAborted(error)) toast({ kind: 'bad', text: explain(error) })
    }
    progress.value = null
  }
  return (
    <section class="stack" aria-live="polite">
      <div class="row">
        <h2 class="grow">{say('prediction')}</h2>
        <Button disabled={isEmpty || progress.value !== null} onPress={predict}>
          {say('predict')}
        </Button>
      </div>
      {progress.value ? (
        <Progress
          label={say('predicting', { n: progress.value.total })}
          done={progress.value.done}
          total={progress.value.total}
          onCancel={() => running.current?.abort()}
        />
      ) : (
        !found.value && <p class="second">{say('predictHint')}</p>
      )}
      {found.value && <Outcome found={found.value} />}
    </section>
  )
}

async function latestQuestions(signal: AbortSignal): Promise<string[]> {
  const traces = await listMonitorTraces(desk, { query: { limit: 100 }, signal })
  const knowledge = traces.filter(
    ({ intent }) => !['chitchat', 'human', 'order', 'logistics', 'account'].includes(intent),
  )
  return [...new Set(knowledge.map(({ question }) => question))].slice(0, QUESTIONS)
}

async function askAll(
  questions: readonly string[],
  params: Changes,
  signal: AbortSignal,
  tell: (done: number) => void,
): Promise<Predicted[]> {
  const outcomes = new Map<string, Predicted>()
  const waiting = [...questions]
  const work = async () => {
    for (let question = waiting.shift(); question !== undefined; question = waiting.shift()) {
      const [before, after] = await Promise.all([
        searchKnowledge(desk, { body: { query: question }, signal }),
        searchKnowledge(desk, { body: { query: question, params: searching(params) }, signal }),
      ])
      outcomes.set(question, {
        question,
        before: before.reply,
        after: after.reply,
        kind: kindOf(before.reply, after.reply),
      })
      tell(outcomes.size)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return questions.flatMap((question) => outcomes.get(question) ?? [])
}

/** Of the cache nothing depends that one question could show. */
function searching({ cache_ttl_seconds: _ttl, cache_max_entries: _entries, ...rest }: Changes): Changes {
  return rest
}

function kindOf(before: Told, after: Told): Kind {
  if (before.text === after.text && before.confidence === after.confidence) return 'same'
  if (after.confidence === 'sure' && before.confidence !== 'sure') return 'better'
  if (before.confidence === 'sure' && after.confidence !== 'sure') return 'worse'
  return 'other'
}

function Outcome({ found }: { found: readonly Predicted[] }) {
  const count = (kind: Kind) => found.filter((each) => each.kind === kind).length
  return (
    <>
      <ul class="tuner-kinds">
        {KINDS.map((kind) => (
          <li key={kind} class={kind}>
            {say(kind, { n: count(kind) })}
          </li>
        ))}
      </ul>
      {found
        .filter(({ kind }) => kind !== 'same')
        .map((each) => (
          <details key={each.question} class={`tuner-change ${each.kind}`}>
            <summary>{each.question}</summary>
            <a class="small" href={to('playground', { q: each.question })}>
              {say('open')}
            </a>
            <div class="tuner-both">
              <div>
                <p class="second small">{say('before')}</p>
                <p class="pre dense">{each.before.text}</p>
              </div>
              <div>
                <p class="second small">{say('after')}</p>
                <p class="pre dense">{each.after.text}</p>
              </div>
            </div>
          </details>
        ))}
    </>
  )
}
