import type { Handoff } from '../handoff/index.ts'
import type { ConversationState } from './types.ts'

export interface StateReaders {
  handoff: Pick<Handoff, 'find' | 'placeInQueue'>
  /** As customers are told it; null: nobody of that name. */
  displayNameOf(agentId: string): Promise<string | null>
  hours(): { isOpen: boolean; opensAt: Date | null } | null
  isSomebodyThere(): Promise<boolean>
  mayRate(sessionId: string): Promise<boolean>
}

const STATUS = { pending: 'waiting', assigned: 'person', resolved: 'resolved', none: 'assistant' } as const

/** Where a conversation stands, also one in which nothing was said yet. */
export async function readState(readers: StateReaders, sessionId: string): Promise<ConversationState> {
  const session = await readers.handoff.find(sessionId)
  const hours = readers.hours()
  const status = STATUS[session?.agentStatus ?? 'none']
  const agentId = status === 'person' ? session?.agentId : null
  return {
    status,
    agentName: agentId ? await readers.displayNameOf(agentId) : null,
    place: status === 'waiting' ? await readers.handoff.placeInQueue(sessionId) : null,
    isOpen: hours?.isOpen ?? null,
    opensAt: hours?.opensAt ?? null,
    isSomebodyThere: await readers.isSomebodyThere(),
    canRate: status === 'resolved' && (await readers.mayRate(sessionId)),
  }
}
