import type { ListWidgetMessages } from '../../clients/typescript/src/generated/routes.ts'

export type Message = ListWidgetMessages['result']['messages'][number] & {
  /** Still being written, waiting to be sent, or not sent; left out: as the service has it. */
  pending?: 'writing' | 'sending' | 'failed'
  /** Makes a second try the same message for the service. */
  key?: string
}

/** A message and the reply to it, until the service has both. */
export interface Exchange {
  message: Message
  answer: Message
}

/** What was said, each message once, in the order of the service; behind it what is on its way. */
export function createLedger() {
  let known: Message[] = []
  let outgoing: Message[] = []

  return {
    get messages(): readonly Message[] {
      const ids = new Set(known.map(({ message_id: id }) => id))
      return [...known, ...outgoing.filter(({ message_id: id }) => !ids.has(id))]
    },
    /** From which on the service is asked; undefined: from the beginning. */
    get latest(): string | undefined {
      return known.at(-1)?.message_id
    },
    get isAnswering(): boolean {
      return outgoing.some(({ pending }) => pending === 'writing')
    },
    /** @returns whether it was not known */
    add(message: Message): boolean {
      const at = known.findIndex(({ message_id: id }) => id === message.message_id)
      if (at < 0) known.push(message)
      else known[at] = { ...message, rating: message.rating ?? known[at]?.rating ?? null }
      return at < 0
    },
    find: (id: string): Message | undefined => known.find(({ message_id: own }) => own === id),
    unsent: (key: string): Message | undefined => outgoing.find((each) => each.key === key),
    begin({ message, answer }: Exchange): void {
      outgoing = [...outgoing.filter(({ key }) => key !== message.key && key !== answer.key), message, answer]
    },
    fail({ message, answer }: Exchange): void {
      outgoing = outgoing.filter((each) => each !== answer)
      message.pending = 'failed'
    },
    end({ message, answer }: Exchange): void {
      outgoing = outgoing.filter((each) => each !== message && each !== answer)
    },
    clear(): void {
      known = []
      outgoing = []
    },
  }
}

/** A message that the service does not have yet. */
export function draft(role: 'user' | 'assistant', content: string, pending: Message['pending'], key: string): Message {
  const message: Message = {
    message_id: key,
    role,
    content,
    timestamp: new Date().toISOString(),
    event: null,
    agent_name: null,
    sources: [],
    attachment: null,
    rating: null,
    key,
  }
  return pending ? { ...message, pending } : message
}

/** As the service has it from then on. */
export function settled(message: Message, change: Partial<Message>): Message {
  const { key: _key, pending: _pending, ...said } = message
  return { ...said, ...change }
}
