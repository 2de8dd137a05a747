import type { ListWidgetMessages } from '../../clients/typescript/src/generated/routes.ts'

export type Message = ListWidgetMessages['result']['messages'][number] & {
  /** Still being written, waiting to be sent, not sent, or said without a reply; left out: as the service has it. */
  pending?: 'writing' | 'sending' | 'failed' | 'unanswered'
  /** Of what was written here: makes a second try the same message for the service. */
  key?: string
  /** On its way, where the message is one. */
  file?: File
}

/** What was said, each message once, in the order of the service; behind it what is on its way. */
export function createLedger() {
  let known: Message[] = []
  let outgoing: Message[] = []
  let cursor: string | undefined
  /** Names under which messages were shown here before the service had them: they stay the same ones. */
  const keys = new Map<string, string>()

  const indexOf = (id: string): number => known.findIndex(({ message_id: own }) => own === id)
  const named = (message: Message): Message => {
    const key = message.key ?? keys.get(message.message_id)
    if (key === undefined) return message
    keys.set(message.message_id, key)
    return { ...message, key }
  }
  /** A reply that is read as a whole is no longer shown as it is written. */
  const isRead = ({ pending, key = '' }: Message): boolean => {
    if (pending !== 'writing') return false
    const asked = known.findIndex((each) => each.role === 'user' && answerKey(each.key) === key)
    return asked >= 0 && known[asked + 1]?.role === 'assistant'
  }

  return {
    get messages(): readonly Message[] {
      const said = known.map((each) => {
        const { pending } = outgoing.find((own) => own.message_id === each.message_id) ?? {}
        return pending === 'unanswered' ? { ...each, pending } : each
      })
      return [...said, ...outgoing.filter((each) => indexOf(each.message_id) < 0 && !isRead(each))]
    },
    /**
     * Everything up to here was read from the service, without a gap; undefined: nothing was. What came live or was
     * said here does not move it, as something that was said before may not have come yet.
     */
    get cursor(): string | undefined {
      return cursor
    },
    get outgoing(): readonly Message[] {
      return outgoing
    },
    /** @returns whether it was not known */
    add(message: Message): boolean {
      const at = indexOf(message.message_id)
      if (at < 0) known.push(named(message))
      else known[at] = named({ ...message, rating: message.rating ?? known[at]?.rating ?? null })
      return at < 0
    },
    /** What the service has after the cursor. @returns those that were not known */
    follow(page: readonly Message[]): Message[] {
      const before = new Set(known.map(idOf))
      const at = cursor === undefined ? 0 : indexOf(cursor) + 1
      const read = new Set(known.slice(0, at).map(idOf))
      const next = page.filter((each) => !read.has(idOf(each))).map(named)
      const ids = new Set(next.map(idOf))
      known = [...known.slice(0, at), ...next, ...known.slice(at).filter((each) => !ids.has(idOf(each)))]
      cursor = next.at(-1)?.message_id ?? cursor
      return next.filter((each) => !before.has(idOf(each)))
    },
    find: (id: string): Message | undefined => known[indexOf(id)],
    /** What is to be sent, and behind it the reply as it is written. */
    begin(message: Message, behind?: Message): void {
      const at = behind ? outgoing.indexOf(behind) + 1 : outgoing.length
      outgoing = [...outgoing.slice(0, at), message, ...outgoing.slice(at)]
    },
    /** The service will have it under this id. */
    rename(message: Message, id: string): void {
      message.message_id = id
      if (message.key) keys.set(id, message.key)
    },
    end(...messages: (Message | undefined)[]): void {
      outgoing = outgoing.filter((each) => !messages.includes(each))
    },
    /** The conversation is another; what is on its way stays. */
    forget(): void {
      known = []
      cursor = undefined
    },
  }
}

function idOf({ message_id: id }: Message): string {
  return id
}

/** Of the reply to a message, before the service gives it an id. */
export function answerKey(key: string | undefined): string {
  return `${key}-reply`
}

/** A message that the service does not have yet. */
export function draft(role: Message['role'], content: string, pending: Message['pending'], key: string): Message {
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
  const { pending: _pending, file: _file, ...said } = message
  return { ...said, ...change }
}
