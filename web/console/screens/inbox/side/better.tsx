import { useSignal } from '@preact/signals'
import {
  addSolution,
  approveEscalationSolution,
  type PreviewSolution,
  previewSolution,
  setEscalationSolution,
} from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { to } from '../../../shell/router.ts'
import { may } from '../../../shell/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextArea, TextField } from '../../../ui/fields.tsx'
import { Tag, type Tone } from '../../../ui/tag.tsx'
import { toast } from '../../../ui/toasts.tsx'
import type { Conversation, Message } from '../conversation/state.ts'
import { say } from '../words.ts'

const TONES: Readonly<Record<string, Tone>> = { answered: 'good', improved: 'good', changed: 'accent', worse: 'bad' }

/** Corrects a reply of the assistant: what is written becomes a solution, tried before anybody approves it. */
export function BetterDialog(props: { conversation: Conversation; message: Message; onClose: () => void }) {
  const { conversation, message, onClose } = props
  const question = useSignal(questionBefore(conversation, message))
  const answer = useSignal(message.content)
  const solutionId = useSignal<string | null>(null)
  const preview = useSignal<PreviewSolution['result'] | null>(null)
  const keep = async () => {
    const body = { question: question.value, solution: answer.value }
    const known = solutionId.value
    const kept = known
      ? await setEscalationSolution(desk, { path: { solution_id: known }, body })
      : await addSolution(desk, { body: { ...body, session_id: conversation.session_id } })
    solutionId.value = kept.solution_id
    return kept.solution_id
  }
  const attempt = async () => {
    preview.value = await previewSolution(desk, { path: { solution_id: await keep() } })
  }
  const publish = async () => {
    const id = await keep()
    await approveEscalationSolution(desk, { path: { solution_id: id } })
    toast({ text: say('published'), link: { text: say('seeSolution'), address: to('solutions', id) } })
    onClose()
  }
  const handIn = async () => {
    const id = await keep()
    toast({ text: say('handedIn'), link: { text: say('seeSolution'), address: to('solutions', id) } })
    onClose()
  }
  return (
    <Dialog title={say('betterTitle')} onClose={onClose} isWide>
      <p class="second">{say('betterText')}</p>
      <TextField label={say('question')} value={question.value} onInput={(text) => (question.value = text)} />
      <TextArea
        label={say('answer')}
        value={answer.value}
        onInput={(text) => (answer.value = text)}
        rows={5}
        autoFocus
      />
      {preview.value && <Replays preview={preview.value} />}
      <footer class="dialog-footer">
        <Button onPress={attempt}>{say('try')}</Button>
        <Button onPress={handIn} kind={may('knowledge') ? 'plain' : 'primary'}>
          {say('submit')}
        </Button>
        {may('knowledge') && (
          <Button kind="primary" onPress={publish} disabled={preview.value === null}>
            {say('publish')}
          </Button>
        )}
      </footer>
    </Dialog>
  )
}

function questionBefore({ history }: Conversation, { message_id: id }: Message): string {
  const at = history.findIndex((each) => each.message_id === id)
  return history.slice(0, Math.max(0, at)).findLast(({ role }) => role === 'user')?.content ?? ''
}

function Replays({ preview: { replays, warnings } }: { preview: PreviewSolution['result'] }) {
  return (
    <section class="stack" aria-live="polite">
      {warnings.map((warning) => (
        <p key={warning} class="second">
          {warning}
        </p>
      ))}
      {replays.map(({ question, before, after, change }) => (
        <article key={question} class="replay">
          <header>
            <strong class="grow">{question}</strong>
            <Tag tone={TONES[change] ?? 'plain'}>{say(`change.${change}`)}</Tag>
          </header>
          <div>
            <h3>{say('before')}</h3>
            <p class="pre">{before.confidence === 'none' ? say('noAnswer') : before.reply}</p>
          </div>
          <div>
            <h3>{say('after')}</h3>
            <p class="pre">{after.confidence === 'none' ? say('noAnswer') : after.reply}</p>
          </div>
        </article>
      ))}
    </section>
  )
}
