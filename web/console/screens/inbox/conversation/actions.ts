import {
  acceptAgentSession,
  releaseAgentSession,
  resolveAgentSession,
  takeAgentSession,
  transferAgentSession,
} from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { place, replace, to } from '../../../shell/router.ts'
import { asAgent } from '../../../shell/session.ts'
import { toast } from '../../../ui/toasts.tsx'
import { say } from '../words.ts'
import { type ConversationState, holderOf } from './state.ts'

/** Has whoever is here have the conversation, wherever it was. */
export async function take({ conversation, reload }: ConversationState): Promise<void> {
  const path = { session_id: conversation.session_id }
  const holder = holderOf(conversation)
  if (holder === 'waiting') await acceptAgentSession(desk, { path, body: { ...asAgent.value } })
  else
    await takeAgentSession(desk, { path, body: { ...asAgent.value, ...(holder === 'other' ? { force: true } : {}) } })
  // It is among one's own from now on.
  if (place.value.parts[0] === path.session_id) replace(to('inbox', path.session_id, { tab: 'mine' }))
  // The screen changes before the words say so: who types on reading them must not write a note instead of a reply.
  await reload()
  toast({
    text: say('taken'),
    undo: holder === 'resolved' ? undefined : () => giveBack(conversation.session_id, holder, reload),
  })
}

async function giveBack(id: string, holder: string, reload: () => Promise<void>): Promise<void> {
  await releaseAgentSession(desk, {
    path: { session_id: id },
    body: { to: holder === 'assistant' ? 'assistant' : 'queue' },
  })
  await reload()
}

/** Ends the conversation; who changes their mind takes it again. */
export async function resolve(state: ConversationState): Promise<void> {
  const path = { session_id: state.conversation.session_id }
  await resolveAgentSession(desk, { path, body: {} })
  await state.reload()
  toast({
    text: say('resolved'),
    undo: async () => {
      await takeAgentSession(desk, { path, body: { ...asAgent.value } })
      await state.reload()
    },
  })
}

export async function release({ conversation, reload }: ConversationState, to: 'queue' | 'assistant'): Promise<void> {
  const path = { session_id: conversation.session_id }
  await releaseAgentSession(desk, { path, body: { to } })
  await reload()
  toast({
    text: say('released'),
    undo: async () => {
      await takeAgentSession(desk, { path, body: { ...asAgent.value } })
      await reload()
    },
  })
}

export async function transfer(
  { conversation, reload }: ConversationState,
  colleague: { name: string; display_name: string },
  note: string,
): Promise<void> {
  const body = { agent_id: colleague.name, ...(note.trim() ? { note } : {}) }
  await transferAgentSession(desk, { path: { session_id: conversation.session_id }, body })
  await reload()
  toast({ text: say('transferred', { name: colleague.display_name }) })
}
