import { useSignal } from '@preact/signals'
import {
  deleteEscalationSolution,
  getEscalationSolution,
  rejectEscalationSolution,
} from '../../../../clients/typescript/src/index.ts'
import { desk, FrontdeskError } from '../../api.ts'
import { SolutionEditor } from '../../parts/solution-editor.tsx'
import { handIn, reopen, type Solution } from '../../parts/solutions.ts'
import { to } from '../../shell/router.ts'
import { asAgent, may } from '../../shell/session.ts'
import { Button } from '../../ui/button.tsx'
import { useResource } from '../../ui/resource.tsx'
import { Empty, Failed, Loading } from '../../ui/states.tsx'
import { Tag, type Tone } from '../../ui/tag.tsx'
import { At } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { RejectDialog } from './reject.tsx'
import { say } from './words.ts'

const TONES: Readonly<Record<Solution['status'], Tone>> = {
  draft: 'plain',
  pending: 'warn',
  approved: 'good',
  rejected: 'bad',
}

/** One solution: its words, its replay, and the decision. */
export function Detail(props: { id: string; onDone: () => Promise<void>; onUndone: () => Promise<void> }) {
  const solution = useResource(props.id, (signal) =>
    getEscalationSolution(desk, { path: { solution_id: props.id }, signal }),
  )
  const { data, error, reload } = solution
  if (data.value) return <Chosen solution={data.value} reload={reload} {...props} />
  if (error.value instanceof FrontdeskError && error.value.status === 404) return <Empty title={say('gone')} />
  return error.value ? <Failed error={error.value} onRetry={reload} /> : <Loading />
}

function Chosen(props: {
  solution: Solution
  reload: () => Promise<void>
  onDone: () => Promise<void>
  onUndone: () => Promise<void>
}) {
  const { solution, reload, onDone, onUndone } = props
  const { solution_id: id, status } = solution
  const isRejecting = useSignal(false)
  const isOpen = status === 'pending' || status === 'draft'
  const path = { solution_id: id }
  const reject = async (reason: string) => {
    await rejectEscalationSolution(desk, { path, body: { reason, ...asAgent.value } })
    toast({
      text: say('rejectedOne'),
      undo: async () => {
        await reopen(id)
        await onUndone()
      },
    })
    await onDone()
  }
  const drop = async () => {
    await deleteEscalationSolution(desk, { path })
    toast({ text: say('dropped') })
    await onDone()
  }
  const submit = async () => {
    await handIn(id)
    await onDone()
  }
  return (
    <article class="stack">
      <header class="row">
        <Tag tone={TONES[status]}>{say(status)}</Tag>
        <span class="second dense">
          {say('origin')} {say(`origin.${solution.origin}`)} · <At at={solution.created_at} />
        </span>
        {solution.session_id && <a href={to('inbox', solution.session_id, { tab: 'all' })}>{say('conversation')}</a>}
        {solution.doc_id && <a href={to('knowledge', solution.doc_id)}>{say('document')}</a>}
        <span class="grow" />
        {isOpen && status === 'draft' && (
          <>
            <Button isSmall onPress={submit}>
              {say('submit')}
            </Button>
            <Button isSmall kind="ghost" onPress={drop}>
              {say('drop')}
            </Button>
          </>
        )}
        {isOpen && may('knowledge') && (
          <Button isSmall kind="danger" onPress={() => void (isRejecting.value = true)}>
            {say('reject')}
          </Button>
        )}
      </header>
      {solution.reviewer && <p class="second">{say('by', { name: solution.reviewer })}</p>}
      {solution.reason && (
        <p>
          {say('reason')}: {solution.reason}
        </p>
      )}
      <SolutionEditor
        key={`${id} ${status}`}
        solution={solution}
        question={solution.question}
        answer={solution.solution}
        triesAtOnce={isOpen}
        onDone={onDone}
        onUndone={async () => {
          await reload()
          await onUndone()
        }}
      />
      {isRejecting.value && <RejectDialog onReject={reject} onClose={() => (isRejecting.value = false)} />}
    </article>
  )
}
