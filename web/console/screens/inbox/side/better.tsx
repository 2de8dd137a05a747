import { withoutSources } from '../../../../shared/markdown.ts'
import { SolutionEditor } from '../../../parts/solution-editor.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import type { Conversation, Message } from '../conversation/state.ts'
import { say } from '../words.ts'

/** Corrects a reply of the assistant: what is written becomes a solution, tried before anybody approves it. */
export function BetterDialog(props: { conversation: Conversation; message: Message; onClose: () => void }) {
  const { conversation, message, onClose } = props
  return (
    <Dialog title={say('betterTitle')} onClose={onClose} isWide>
      <p class="second">{say('betterText')}</p>
      <SolutionEditor
        question={questionBefore(conversation, message)}
        answer={message.sources?.length ? withoutSources(message.content) : message.content}
        sessionId={conversation.session_id}
        onDone={onClose}
      />
    </Dialog>
  )
}

function questionBefore({ history }: Conversation, { message_id: id }: Message): string {
  const at = history.findIndex((each) => each.message_id === id)
  return history.slice(0, Math.max(0, at)).findLast(({ role }) => role === 'user')?.content ?? ''
}
