import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import {
  addAgentSessionAttachment,
  addAgentSessionNote,
  showAgentTyping,
} from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { useKeys } from '../../../shell/keys.ts'
import { asAgent } from '../../../shell/session.ts'
import { Button } from '../../../ui/button.tsx'
import { explain } from '../../../ui/failure.ts'
import { Tabs } from '../../../ui/tabs.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { draftFromKnowledge } from '../side/knowledge.ts'
import { say } from '../words.ts'
import { useDraft } from './draft.ts'
import { sendReply } from './outgoing.tsx'
import { SavedReplies } from './saved-replies.tsx'
import { type ConversationState, holderOf, insertion } from './state.ts'

type Mode = 'reply' | 'note'

const TYPING_EVERY_MS = 4_000
const ATTACHABLE = 'image/png,image/jpeg,image/gif,image/webp,application/pdf,text/plain'

/** Where a person answers the customer or leaves a note; a reply only of a conversation that is one's own. */
export function Composer({ state }: { state: ConversationState }) {
  const id = state.conversation.session_id
  const isMine = holderOf(state.conversation) === 'mine'
  const mode = useSignal<Mode>('reply')
  const isNote = mode.value === 'note' || !isMine
  const note = useSignal('')
  const reply = useDraft(id, isMine)
  const sources = useSignal<readonly string[]>([])
  const field = useRef<HTMLTextAreaElement>(null)
  const focus = (next: Mode) => {
    mode.value = next
    queueMicrotask(() => field.current?.focus())
  }
  const text = isNote ? note : reply.text
  useInsertions(isMine, (given) => {
    reply.change(given.isWhole || !reply.text.value ? given.text : `${reply.text.value.trimEnd()}\n\n${given.text}`)
    sources.value = given.sources
    focus('reply')
  })
  const isAdding = useRef(false)
  const addOnce = async (content: string) => {
    if (isAdding.current) return
    isAdding.current = true
    try {
      await addNote(state, content)
      note.value = ''
    } finally {
      isAdding.current = false
    }
  }
  const send = async () => {
    const content = text.value.trim()
    if (content === '') return
    if (isNote) return addOnce(content)
    void sendReply(id, content, state.reload)
    reply.clear()
    sources.value = []
  }
  useKeys({
    ...(isMine ? { r: { label: say('toReply'), run: () => focus('reply') } } : {}),
    n: { label: say('toNote'), run: () => focus('note') },
    'mod+enter': { label: say('send'), run: () => void send().catch(fail), inText: true },
  })
  return (
    <form
      class={`composer ${isNote ? 'is-note' : ''}`}
      aria-label={say('composer')}
      onSubmit={(event) => {
        event.preventDefault()
        void send().catch(fail)
      }}
    >
      <Blocked state={state} />
      {isMine && (
        <Tabs
          label={say('composer')}
          chosen={mode.value}
          onChoose={(next) => (mode.value = next)}
          tabs={[
            { name: 'reply', text: say('reply') },
            { name: 'note', text: say('note') },
          ]}
        />
      )}
      <textarea
        ref={field}
        aria-label={say(isNote ? 'note' : 'reply')}
        placeholder={say(isNote ? 'noteHint' : 'replyHint')}
        value={text.value}
        onInput={({ currentTarget: { value } }) => {
          if (isNote) note.value = value
          else {
            reply.change(value)
            tellTyping(id)
          }
        }}
      />
      {sources.value.length > 0 && !isNote && (
        <p class="second small">{say('draftedFrom', { sources: sources.value.join(', ') })}</p>
      )}
      <div class="composer-foot">
        {!isNote && <ReplyTools state={state} />}
        <span class="grow" />
        {!isNote && reply.isKept.value && <span class="second small">{say('draftKept')}</span>}
        <Button kind="primary" type="submit" hotkey="Ctrl ↵" disabled={text.value.trim() === ''}>
          {say(isNote ? 'addNote' : 'send')}
        </Button>
      </div>
    </form>
  )
}

function fail(error: unknown): void {
  toast({ kind: 'bad', text: explain(error) })
}

async function addNote({ conversation, reload }: ConversationState, content: string): Promise<void> {
  const path = { session_id: conversation.session_id }
  await addAgentSessionNote(desk, { path, body: { content, ...asAgent.value } })
  toast({ text: say('noteAdded') })
  await reload()
}

/** Takes what the side puts into the reply. */
function useInsertions(isMine: boolean, take: (given: NonNullable<typeof insertion.value>) => void): void {
  const given = insertion.value
  useEffect(() => {
    if (!given || !isMine) return
    insertion.value = null
    take(given)
  }, [given])
}

let toldAt = 0
/** The customer sees that somebody writes; said every few seconds at most. */
function tellTyping(id: string): void {
  if (Date.now() - toldAt < TYPING_EVERY_MS) return
  toldAt = Date.now()
  void showAgentTyping(desk, { path: { session_id: id } }).catch(() => {})
}

/** Why there is no reply to write here. */
function Blocked({ state: { conversation } }: { state: ConversationState }) {
  const holder = holderOf(conversation)
  if (holder === 'mine') return null
  const text = { assistant: 'withAssistant', waiting: 'isWaiting', resolved: 'isResolved', other: 'withOther' } as const
  return <p class="blocked">{say(text[holder], { name: conversation.agent_id ?? '' })}</p>
}

function ReplyTools({ state }: { state: ConversationState }) {
  const id = state.conversation.session_id
  const file = useRef<HTMLInputElement>(null)
  const attach = async (chosen: File | undefined) => {
    if (!chosen) return
    const form = { file: { content: chosen, name: chosen.name } }
    await addAgentSessionAttachment(desk, { path: { session_id: id }, form }).catch(fail)
    await state.reload()
  }
  const draft = async () => {
    const drafted = await draftFromKnowledge(state.conversation)
    if (drafted) insertion.value = { ...drafted, isWhole: true }
    else toast({ text: say('noDraft') })
  }
  return (
    <>
      <SavedReplies sessionId={id} />
      <Button isSmall kind="ghost" onPress={draft}>
        {say('draftReply')}
      </Button>
      <Button isSmall kind="ghost" onPress={() => file.current?.click()}>
        {say('attach')}
      </Button>
      <input
        ref={file}
        type="file"
        hidden
        accept={ATTACHABLE}
        aria-label={say('attach')}
        onChange={({ currentTarget }) => {
          void attach(currentTarget.files?.[0])
          currentTarget.value = ''
        }}
      />
    </>
  )
}
