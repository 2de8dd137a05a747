import { addAgentSessionNote, deleteAgentSessionNote } from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { agentName, asAgent, may } from '../../../shell/session.ts'
import { explain } from '../../../ui/failure.ts'
import { When } from '../../../ui/time.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { say } from '../words.ts'
import type { ConversationState, Note } from './state.ts'

/** A colleague's note, which the customer never sees. */
export function NoteView({ note, state }: { note: Note; state: ConversationState }) {
  const mayDelete = note.author === agentName.value || may('admin')
  return (
    <article class="message note" aria-label={say('note')}>
      <div class="message-text pre">{note.content}</div>
      <div class="message-about">
        <span>
          {say('note')} · {note.author === agentName.value ? say('you') : note.author || say('person')}
        </span>
        <When at={note.created_at} />
        {mayDelete && (
          <button type="button" class="message-do" onClick={() => void remove(note, state)}>
            {say('deleteNote')}
          </button>
        )}
      </div>
    </article>
  )
}

async function remove(note: Note, { reload }: ConversationState): Promise<void> {
  const path = { session_id: note.session_id, note_id: note.note_id }
  try {
    await deleteAgentSessionNote(desk, { path })
    toast({
      text: say('noteDeleted'),
      undo: async () => {
        const body = { content: note.content, ...asAgent.value }
        await addAgentSessionNote(desk, { path: { session_id: note.session_id }, body })
        await reload()
      },
    })
    await reload()
  } catch (error) {
    toast({ kind: 'bad', text: explain(error) })
  }
}
