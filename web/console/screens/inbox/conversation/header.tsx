import { type Signal, useSignal } from '@preact/signals'
import { useKeys } from '../../../shell/keys.ts'
import { place, to } from '../../../shell/router.ts'
import { may } from '../../../shell/session.ts'
import { Button } from '../../../ui/button.tsx'
import { explain } from '../../../ui/failure.ts'
import { nameOf, toneOf } from '../../../ui/names.ts'
import { Tag } from '../../../ui/tag.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { say } from '../words.ts'
import { release, resolve, take } from './actions.ts'
import { type Conversation, type ConversationState, type Holder, holderOf } from './state.ts'
import { TransferDialog } from './transfer.tsx'

/** Who it is with, and what can be done with it. Where there is no room for the side, a button shows it instead. */
export function Header({ state, isSideShown }: { state: ConversationState; isSideShown: Signal<boolean> }) {
  const { conversation } = state
  return (
    <header class="conversation-header">
      <a class="conversation-back" href={to('inbox', place.value.query)} aria-label={say('toList')}>
        ←
      </a>
      <h2 id="conversation-title" class="clip">
        {conversation.contact?.name || conversation.user_id || conversation.contact?.email || say('visitor')}
      </h2>
      <Tag tone={toneOf.status[conversation.agent_status]}>{ownerOf(conversation)}</Tag>
      {(conversation.priority === 'high' || conversation.priority === 'urgent') && (
        <Tag tone={toneOf.priority[conversation.priority]}>{nameOf.priority(conversation.priority)}</Tag>
      )}
      <span class="second small clip">{nameOf.channel(conversation.channel)}</span>
      <span class="grow" />
      <button
        type="button"
        class="button ghost side-door"
        aria-pressed={isSideShown.value}
        onClick={() => (isSideShown.value = !isSideShown.value)}
      >
        {say('side')}
      </button>
      {holderOf(conversation) === 'mine' ? <Own state={state} /> : <Foreign state={state} />}
    </header>
  )
}

function ownerOf(conversation: Conversation): string {
  const holder = holderOf(conversation)
  if (holder === 'mine') return say('you')
  return (holder === 'other' && conversation.agent_id) || nameOf.status(conversation.agent_status)
}

let isUnderWay = false
/** What a key does, once: a second press while the first goes on would only be refused. */
function trying(work: () => Promise<void>): () => void {
  return () => {
    if (isUnderWay) return
    isUnderWay = true
    void work()
      .catch((error: unknown) => toast({ kind: 'bad', text: explain(error) }))
      .finally(() => {
        isUnderWay = false
      })
  }
}

/** A conversation that somebody else has, or nobody. From a colleague admins alone take it. */
function Foreign({ state }: { state: ConversationState }) {
  const holder = holderOf(state.conversation)
  const mayTake = holder !== 'other' || may('admin')
  const label = labelOf(holder, state.conversation.agent_id)
  useKeys(mayTake ? { a: { label, run: trying(() => take(state)) } } : {})
  if (!mayTake) return null
  return (
    <Button kind={holder === 'waiting' ? 'primary' : 'plain'} hotkey="A" onPress={() => take(state)}>
      {label}
    </Button>
  )
}

function labelOf(holder: Holder, agent: string | null): string {
  if (holder === 'other') return say('takeFrom', { name: agent ?? '' })
  return say(holder === 'waiting' ? 'take' : 'takeOver')
}

function Own({ state }: { state: ConversationState }) {
  const isTransferring = useSignal(false)
  useKeys({
    e: { label: say('resolve'), run: trying(() => resolve(state)) },
    t: { label: say('transfer'), run: () => (isTransferring.value = true) },
  })
  return (
    <>
      <button type="button" class="button ghost" popovertarget="give-back">
        {say('release')}
      </button>
      <div id="give-back" popover="auto" class="menu give-back">
        <Button kind="ghost" onPress={() => release(state, 'assistant')}>
          {say('toAssistant')}
        </Button>
        <Button kind="ghost" onPress={() => release(state, 'queue')}>
          {say('toQueue')}
        </Button>
      </div>
      <Button kind="ghost" hotkey="T" onPress={() => void (isTransferring.value = true)}>
        {say('transfer')}
      </Button>
      <Button hotkey="E" onPress={() => resolve(state)}>
        {say('resolve')}
      </Button>
      {isTransferring.value && <TransferDialog state={state} onClose={() => (isTransferring.value = false)} />}
    </>
  )
}
