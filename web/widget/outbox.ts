import { connect, type StreamEvent } from '../../clients/typescript/src/connect.ts'
import { FrontdeskError } from '../../clients/typescript/src/error.ts'
import type { StreamWidgetAnswer } from '../../clients/typescript/src/generated/routes.ts'
import type { Client } from '../../clients/typescript/src/plain-client.ts'
import { idOfKey, newKey } from './ids.ts'
import { answerKey, type createLedger, draft, type Message, settled } from './ledger.ts'
import { mayPass } from './line.ts'
import type { Store } from './store.ts'

type ReplyEvent = StreamEvent<'POST /api/v1/widget/messages'>
export type Done = StreamWidgetAnswer['events']['done']

interface OutboxParts {
  client: Client
  ledger: ReturnType<typeof createLedger>
  store: Store
  /** Does the work once there is a session. */
  within: <T>(work: () => Promise<T>) => Promise<T>
  /** Whether what is said is answered here, or by a person. */
  isAnswered: () => boolean
  onChange: () => void
  /** One of them has arrived; `done` is left out of files. */
  onArrival: (done?: Done) => void
  /** It will not go by itself. */
  onFailure: (error: unknown) => void
  /** It may go when it is tried again: `send` is to be called. */
  onTrouble: (error: unknown) => void
}

/**
 * Messages and files on their way, one after the other in the order in which they were written: each has one key however
 * often it is sent, so that it arrives once. Words are kept over a reload.
 */
export function createOutbox({ client, ledger, store, within, isAnswered, onChange, ...tell }: OutboxParts) {
  /** Keys of what was refused: it goes when somebody says so. */
  const refused = new Set<string | undefined>()
  let isSending = false

  const waiting = (): readonly Message[] => ledger.outgoing.filter(({ role }) => role === 'user')
  for (const { key, content } of store.tab.kept.unsent ?? []) ledger.begin(draft('user', content, 'sending', key))

  function keep(): void {
    const unsent = waiting().filter(({ file }) => !file)
    store.tab.keep({ unsent: unsent.map(({ key = '', content }) => ({ key, content })) })
  }

  function put(message: Message): Promise<void> {
    ledger.begin(message)
    keep()
    return send()
  }

  async function send(): Promise<void> {
    if (isSending) return
    isSending = true
    try {
      for (let next = firstDue(); next && (await deliver(next)); next = firstDue()) keep()
    } finally {
      isSending = false
      keep()
      onChange()
    }
  }

  const firstDue = (): Message | undefined => waiting().find(({ key }) => !refused.has(key))

  /** @returns whether the next may follow */
  async function deliver(message: Message): Promise<boolean> {
    // What the service has already is not sent, only answered.
    if (message.pending) message.pending = 'sending'
    onChange()
    const { file } = message
    const work = () => (file ? sendFile(message, file) : say(message))
    return within(work).then(
      () => true,
      (error: unknown) => failed(message, error),
    )
  }

  function failed(message: Message, error: unknown): boolean {
    if (mayPass(error)) {
      for (const each of waiting()) if (each.pending === 'sending') each.pending = 'failed'
      tell.onTrouble(error)
      return false
    }
    refused.add(message.key)
    message.pending = message.pending ? 'failed' : 'unanswered'
    tell.onFailure(error)
    return true
  }

  /** Sends the words, and shows the reply as it is written. */
  async function say(message: Message): Promise<void> {
    const { key = '', content } = message
    ledger.rename(message, (await idOfKey(store.token, key)) ?? message.message_id)
    const answer = isAnswered() ? draft('assistant', '', 'writing', answerKey(key)) : undefined
    if (answer) ledger.begin(answer, message)
    onChange()
    try {
      const input = { body: { message: content }, idempotencyKey: key }
      for await (const event of connect(client, 'POST /api/v1/widget/messages', input)) {
        hear(event as ReplyEvent, message, answer)
      }
      if (waiting().includes(message)) throw new FrontdeskError(0, 'The reply broke off')
    } finally {
      ledger.end(answer)
    }
  }

  function hear(event: ReplyEvent, message: Message, answer: Message | undefined): void {
    if (event.event === 'error') throw new Error(event.data.message)
    if (event.event === 'done') arrive(message, answer, event.data)
    if (event.event === 'token' && answer) answer.content += event.data.content
    if (event.event === 'start') {
      delete message.pending
      ledger.rename(message, event.data.message_id)
    }
    onChange()
  }

  function arrive(message: Message, answer: Message | undefined, done: Done): void {
    const { message_id, reply_id, reply, sources } = done
    ledger.end(message, answer)
    ledger.add(settled(message, { message_id }))
    const written = answer ?? draft('assistant', '', undefined, answerKey(message.key))
    if (reply_id) ledger.add(settled(written, { message_id: reply_id, content: reply, sources }))
    tell.onArrival(done)
  }

  async function sendFile(message: Message, file: File): Promise<void> {
    const sent = await upload(client, file, message.key)
    ledger.end(message)
    ledger.add({ ...sent, key: message.key })
    tell.onArrival()
  }

  return {
    say: (content: string) => put(draft('user', content, 'sending', newKey())),
    sendFile: (file: File) => put({ ...draft('user', file.name, 'sending', newKey()), file }),
    send,
    retry(key: string): Promise<void> {
      refused.delete(key)
      return send()
    },
    /** They were another customer's. */
    drop(): void {
      ledger.end(...waiting())
      keep()
    },
  }
}

async function upload(client: Client, file: File, idempotencyKey: string | undefined): Promise<Message> {
  const form = new FormData()
  form.append('file', file)
  const response = await client.send('POST /api/v1/widget/attachments', { form, idempotencyKey })
  return await response.json()
}
