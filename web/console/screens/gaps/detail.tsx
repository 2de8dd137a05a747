import { useSignal } from '@preact/signals'
import {
  type GetKnowledgeGap,
  getKnowledgeGap,
  searchKnowledge,
  setKnowledgeGap,
} from '../../../../clients/typescript/src/index.ts'
import { formatShare } from '../../../shared/words.ts'
import { desk } from '../../api.ts'
import { SolutionEditor } from '../../parts/solution-editor.tsx'
import { useKeys } from '../../shell/keys.ts'
import { to } from '../../shell/router.ts'
import { may } from '../../shell/session.ts'
import { Button } from '../../ui/button.tsx'
import { explain } from '../../ui/failure.ts'
import { Shown, useResource } from '../../ui/resource.tsx'
import { When } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { say } from './words.ts'

type Gap = GetKnowledgeGap['result']

interface DetailProps {
  id: string
  onDone: () => Promise<void>
  onUndone: () => Promise<void>
}

/** One gap, from the question to the answer that closes it. */
export function Detail(props: DetailProps) {
  const gap = useResource(props.id, (signal) => getKnowledgeGap(desk, { path: { gap_id: props.id }, signal }))
  return <Shown of={gap}>{(found) => <Chosen gap={found} reload={gap.reload} {...props} />}</Shown>
}

function Chosen({ gap, reload, onDone, onUndone }: DetailProps & { gap: Gap; reload: () => Promise<void> }) {
  const draft = useSignal({ text: '', version: 0 })
  const ignore = async () => {
    await setKnowledgeGap(desk, { path: { gap_id: gap.gap_id }, body: { state: 'ignored' } })
    toast({
      text: say('ignoredOne'),
      undo: async () => {
        await setKnowledgeGap(desk, { path: { gap_id: gap.gap_id }, body: { state: 'open' } })
        await onUndone()
      },
    })
    await onDone()
  }
  const reopen = async () => {
    await setKnowledgeGap(desk, { path: { gap_id: gap.gap_id }, body: { state: 'open' } })
    await onDone()
  }
  const mayDecide = may('knowledge')
  useKeys(
    mayDecide && gap.state !== 'ignored'
      ? {
          i: {
            label: say('ignore'),
            run: () => void ignore().catch((error: unknown) => toast({ kind: 'bad', text: explain(error) })),
          },
        }
      : {},
  )
  const draftFromKnowledge = async () => {
    const { hits } = await searchKnowledge(desk, { body: { query: gap.question, top_k: 1 } })
    const text = hits[0]?.content.trim()
    if (text) draft.value = { text, version: draft.value.version + 1 }
    else toast({ text: say('noDraft') })
  }
  return (
    <article class="stack">
      <header class="row">
        <h2 class="grow">{gap.question}</h2>
        {mayDecide &&
          (gap.state === 'ignored' ? (
            <Button onPress={reopen}>{say('reopen')}</Button>
          ) : (
            <Button hotkey="I" onPress={ignore}>
              {say('ignore')}
            </Button>
          ))}
      </header>
      <p class="second dense">
        {say('asked', { n: gap.count })}
        {gap.rated_down > 0 && ` · ${say('ratedDown', { n: gap.rated_down })}`} · {say('since')}{' '}
        <When at={gap.first_seen} />
        {gap.decided_by && ` · ${say('decided', { name: gap.decided_by })}`}
      </p>
      <Examples gap={gap} />
      {gap.state === 'closed' ? (
        <p>{say('closedNow')}</p>
      ) : gap.solution_id ? (
        <p>
          <a class="button primary" href={to('solutions', gap.solution_id)}>
            {say('seeDraft')}
          </a>
        </p>
      ) : (
        <>
          <div class="row">
            <h2 class="grow">{say('draft')}</h2>
            <Button isSmall onPress={draftFromKnowledge}>
              {say('draftFromKnowledge')}
            </Button>
          </div>
          <SolutionEditor
            key={draft.value.version}
            question={gap.question}
            answer={draft.value.text}
            sessionId={gap.questions[0]?.session_id}
            onDone={onDone}
            onUndone={async () => {
              await reload()
              await onUndone()
            }}
          />
        </>
      )}
      <Documents gap={gap} />
    </article>
  )
}

/** Other words for the same question, and where they were said. */
function Examples({ gap: { questions } }: { gap: Gap }) {
  return (
    <details>
      <summary>{say('conversations')}</summary>
      <ul class="dense">
        {questions.map((each) => (
          <li key={each.seq} class="row">
            <a class="grow clip" href={to('inbox', each.session_id, { tab: 'all' })}>
              {each.question}
            </a>
            <span class="second small">
              <When at={each.asked_at} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}

function Documents({ gap: { documents, question } }: { gap: Gap }) {
  if (documents.length === 0) return null
  return (
    <section class="stack">
      <h3>{say('documents')}</h3>
      <ul class="dense">
        {documents.map((each) => (
          <li key={each.doc_id} class="row">
            <a href={to('knowledge', each.doc_id)}>{each.source}</a>
            <span class="second number">{formatShare(each.score)}</span>
          </li>
        ))}
      </ul>
      <a class="dense" href={to('playground', { q: question })}>
        {say('toPlayground')} ›
      </a>
    </section>
  )
}
