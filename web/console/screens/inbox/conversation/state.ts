import { signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import {
  type GetAgentSession,
  getAgentSession,
  type ListAgentSessionNotes,
  listAgentSessionNotes,
  readAgentSession,
} from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { type LiveEvent, useLive } from '../../../shell/live.ts'
import { agentName, asAgent } from '../../../shell/session.ts'
import { useResource } from '../../../ui/resource.tsx'

export type Conversation = GetAgentSession['result']
export type Message = Conversation['history'][number]
export type Note = ListAgentSessionNotes['result']['notes'][number]

export interface ConversationState {
  conversation: Conversation
  notes: readonly Note[]
  reload: () => Promise<void>
}

/** Text that something beside the composer puts into the reply; the composer takes it. */
export const insertion = signal<{ text: string; sources: readonly string[]; isWhole: boolean } | null>(null)

/** A conversation as it is, and as it goes on. */
export function useConversation(id: string) {
  const resource = useResource(id, async (signal) => {
    const path = { session_id: id }
    const [conversation, { notes }] = await Promise.all([
      getAgentSession(desk, { path, signal }),
      listAgentSessionNotes(desk, { path, signal }),
    ])
    return { conversation, notes }
  })
  const typingUntil = useSignal(0)
  useLive((event) => {
    if (event.event === 'connected') void resource.reload()
    else if (event.data && 'session_id' in event.data && event.data.session_id === id) react(event)
  })
  const react = (event: LiveEvent) => {
    if (event.event === 'typing') {
      if (event.data.role === 'user') typingUntil.value = Date.parse(event.data.expires_at)
      return
    }
    if (event.event === 'read') return
    if (event.event === 'message' && event.data.message.role === 'user') typingUntil.value = 0
    void resource.reload()
  }
  useReading(id, resource.data.value?.conversation.history.at(-1))
  return { resource, isTyping: useIsBefore(typingUntil.value) }
}

/** Says that the latest message was read while it is on the screen. */
function useReading(id: string, latest: Message | undefined): void {
  useEffect(() => {
    if (!latest || document.visibilityState === 'hidden') return
    void readAgentSession(desk, { path: { session_id: id }, body: { ...asAgent.value } }).catch(() => {})
  }, [id, latest?.message_id])
}

/** Whether a moment has yet to come; draws again when it has. */
function useIsBefore(moment: number): boolean {
  const drawn = useSignal(0)
  useEffect(() => {
    const rest = moment - Date.now()
    if (rest <= 0) return
    const timer = setTimeout(() => drawn.value++, rest + 50)
    return () => clearTimeout(timer)
  }, [moment])
  return drawn.value >= 0 && moment > Date.now()
}

export type Holder = 'mine' | 'other' | 'assistant' | 'waiting' | 'resolved'

/** Who has a conversation, as far as it concerns whoever looks at it. */
export function holderOf({ agent_status: status, agent_id: agent }: Conversation): Holder {
  if (status === 'none') return 'assistant'
  if (status === 'pending') return 'waiting'
  if (status === 'resolved') return 'resolved'
  return agent === agentName.value ? 'mine' : 'other'
}
