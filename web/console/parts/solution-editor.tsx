import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type PreviewSolution, previewSolution } from '../../../clients/typescript/src/index.ts'
import { desk } from '../api.ts'
import { may } from '../shell/session.ts'
import { Button } from '../ui/button.tsx'
import { TextArea, TextField } from '../ui/fields.tsx'
import { SolutionReplays } from './solution-replays.tsx'
import { say } from './solution-words.ts'
import { approveSolution, handIn, keepSolution, type Solution } from './solutions.ts'
import './solutions.css'

export interface SolutionEditorProps {
  /** The one that is edited; left out, one is made when it is first tried or handed in. */
  solution?: Solution | undefined
  question: string
  answer: string
  /** Conversation that a new one comes from. */
  sessionId?: string | undefined
  /** Called when it was handed in or approved. */
  onDone: (solution: Solution) => unknown
  /** Called when an approval was taken back. */
  onUndone?: () => unknown
  /** Runs the replay at once. */
  triesAtOnce?: boolean
}

/** A question and its answer; tried on what customers asked before anybody approves it. */
export function SolutionEditor(props: SolutionEditorProps) {
  const { solution, sessionId, onDone, onUndone, triesAtOnce } = props
  const question = useSignal(props.question)
  const answer = useSignal(props.answer)
  const current = useSignal<Solution | undefined>(solution)
  const stored = useSignal(solution ? `${solution.question}\n${solution.solution}` : '')
  const preview = useSignal<PreviewSolution['result'] | null>(null)

  const keep = async (): Promise<Solution> => {
    const text = `${question.value}\n${answer.value}`
    if (!current.value || stored.value !== text) {
      const wording = { question: question.value.trim(), solution: answer.value.trim() }
      current.value = await keepSolution(current.value?.solution_id, wording, sessionId)
      stored.value = text
    }
    return current.value
  }
  const attempt = async () => {
    preview.value = await previewSolution(desk, { path: { solution_id: (await keep()).solution_id } })
  }
  const approve = async () => {
    await onDone(await approveSolution(await keep(), onUndone))
  }
  const submit = async () => {
    const kept = await keep()
    await handIn(kept.solution_id)
    await onDone(kept)
  }
  useEffect(() => {
    if (triesAtOnce) void attempt().catch(() => {})
  }, [])
  const isEmpty = question.value.trim() === '' || answer.value.trim() === ''
  const isReviewed = current.value?.status === 'approved' || current.value?.status === 'rejected'
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
      }}
    >
      <TextField
        label={say('question')}
        value={question.value}
        onInput={(text) => (question.value = text)}
        disabled={isReviewed}
      />
      <TextArea
        label={say('answer')}
        value={answer.value}
        onInput={(text) => (answer.value = text)}
        rows={6}
        disabled={isReviewed}
      />
      {!isReviewed && (
        <div class="row">
          <Button onPress={attempt} disabled={isEmpty}>
            {say('try')}
          </Button>
          <span class="second small grow">{preview.value ? '' : say('tryHint')}</span>
          {may('knowledge') ? (
            <Button kind="primary" onPress={approve} disabled={isEmpty}>
              {say('approve')}
            </Button>
          ) : (
            <Button kind="primary" onPress={submit} disabled={isEmpty} title={say('wantsReview')}>
              {say('submit')}
            </Button>
          )}
        </div>
      )}
      {preview.value && <SolutionReplays preview={preview.value} />}
    </form>
  )
}
