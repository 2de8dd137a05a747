import { useSignal } from '@preact/signals'
import { Fragment } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { BetterDialog } from '../side/better.tsx'
import { say } from '../words.ts'
import { FileOf, useFiles } from './files.tsx'
import { MessageView } from './message.tsx'
import { NoteView } from './note.tsx'
import { Unsent, unsentOf } from './outgoing.tsx'
import type { ConversationState, Message, Note } from './state.ts'

/** How near to its end a thread counts as being read at its end, in pixels. */
const NEAR_END = 120

/** Everything that was said, with the notes of colleagues between, in the order of time. */
export function Thread({ state }: { state: ConversationState }) {
  const { conversation, notes } = state
  const ref = useRef<HTMLDivElement>(null)
  const bettered = useSignal<Message | null>(null)
  const files = useFiles(conversation)
  const entries = inOrder(conversation.history, notes)
  const unsent = unsentOf(conversation.session_id)
  const isAtEnd = useRef(true)
  useEffect(() => {
    const box = ref.current
    if (box && isAtEnd.current) box.scrollTop = box.scrollHeight
  }, [entries.length, unsent.length, files.size])
  return (
    <div
      ref={ref}
      class="thread"
      role="log"
      aria-label={say('thread')}
      tabIndex={0}
      onScroll={({ currentTarget: box }) => {
        isAtEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_END
      }}
    >
      {entries.map((entry) =>
        'note_id' in entry ? (
          <NoteView key={entry.note_id} note={entry} state={state} />
        ) : (
          <Fragment key={entry.message_id}>
            <MessageView message={entry} onBetter={() => (bettered.value = entry)} />
            <FileOf message={entry} files={files} />
          </Fragment>
        ),
      )}
      {unsent.map((each) => (
        <Unsent key={each.key} message={each} state={state} />
      ))}
      {bettered.value && (
        <BetterDialog conversation={conversation} message={bettered.value} onClose={() => (bettered.value = null)} />
      )}
    </div>
  )
}

function inOrder(messages: readonly Message[], notes: readonly Note[]): (Message | Note)[] {
  const timeOf = (entry: Message | Note) => ('note_id' in entry ? entry.created_at : entry.timestamp)
  return [...messages, ...notes].toSorted((one, other) => timeOf(one).localeCompare(timeOf(other)))
}
