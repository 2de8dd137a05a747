import type { Log } from '../../kernel/log.ts'
import type { Breaker } from '../../platform/breaker.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/postgres/index.ts'
import type { ChannelName, Speaker } from '../sessions/index.ts'
import type { Fetch } from './platform-call.ts'

/** A platform that customers write from: how its messages come in, and how texts reach its customers. */
export interface Channel {
  name: ChannelName
  /** That most of its customers speak: for those of whom nothing was read yet. */
  language: 'zh' | 'en'
  /** Null: it has no callback. */
  description: ChannelDescription | null
  /** Null while the platform's secrets are not set. */
  webhook: Webhook | null
  /** Null, or missing: nothing is fetched, or its secrets are not set. */
  inbox?: Inbox | null
  /** Null: nothing can be sent outside a request. */
  sender: Sender | null
}

/** The platform's callback in the description of the API. */
export interface ChannelDescription {
  summary: string
  description: string
  consumes: string
  produces: string
  /** Of the request by which the platform checks the address, where it does. */
  check?: { summary: string; description: string }
  /** Parameters of the query that the platform sends. */
  query?: readonly string[]
}

/** A callback as it came. A repeated parameter or header is an array, which no signature accepts. */
export interface WebhookRequest {
  query: Readonly<Record<string, unknown>>
  headers: Readonly<Record<string, unknown>>
  body: Uint8Array
}

export interface Webhook {
  /** Verifies and reads a message. Throws `unauthorized`, `too_large` or `invalid`. */
  receive(request: WebhookRequest): ReceivedMessage
  /** The response for "received, nothing to say here and now". */
  acknowledgement: string
  /** The answer to the check of the address, in `text/plain`. Throws `unauthorized`. */
  check?(query: WebhookRequest['query']): { text: string; signature: SignatureUse }
}

/** A signature that was verified, and what it is used for. */
export interface SignatureUse {
  signature: string
  message: object
  /** So many different messages may it serve; default: 1, where every message has a signature of its own. */
  serves?: number
}

/** A message that a platform brought. */
export interface ReceivedMessage {
  /** The same for a message and its repeats, and for nothing else. */
  messageId: string
  /** The platform's name for the customer. */
  customerId: string
  content: NeutralMessage
  use: SignatureUse
  /** Null: the message brings none, and the last one stays. */
  address: Omit<ChannelAddress, 'channel'> | null
  /** Default: the session in which the customer spoke last. */
  sessionOf?(speaker: Speaker): string
  /** Where the platform waits for the answer; otherwise every answer goes out by itself. */
  inPlace?: {
    maxBytes: number
    /** The response's body. */
    write(text: string): string
  }
}

/**
 * The form that every channel's message takes. `text` is what the customer said, where anything can be read: for `voice` the
 * platform's own recognition, for `event` its name and key. Media that nobody can read (pictures, videos, files) is `image`
 * without text, so that the service can ask for words.
 */
export type NeutralMessage = { type: 'text' | 'image' | 'voice' | 'event'; text?: string }

/** A neutral message without the `text` field when there is nothing to read. */
export function neutralMessage(type: NeutralMessage['type'], text: string): NeutralMessage {
  const trimmed = text.trim()
  return trimmed === '' ? { type } : { type, text: trimmed }
}

/** A message that the channel has fetched by itself. */
export interface FetchedMessage extends Pick<ReceivedMessage, 'messageId' | 'customerId' | 'content'> {
  /** Of the conversation that it belongs to, or begins. */
  sessionId: string
  address: Omit<ChannelAddress, 'channel'>
  files: readonly { name: string; bytes: Uint8Array }[]
  /** Files were left out, as all of it was too large. */
  isCut: boolean
  /** It is left to people. */
  callsPerson: boolean
  /** Whether the assistant may answer: not somebody who was answered too often. */
  answers: boolean
}

export interface InboxHandler {
  /** Resolves when the message is stored, and its answer is on its way. */
  take(message: FetchedMessage): Promise<void>
  /** A message that was sent came back. */
  undeliverable(sent: { messageId: string; sessionId: string }): Promise<void>
}

/** A channel that fetches its messages. */
export interface Inbox {
  open(handler: InboxHandler): { close(): Promise<void> }
}

/** How a channel takes texts outside a request. */
export interface Sender {
  /** Cuts a text into parts that each fit one message; none for a text of blanks. */
  split(text: string): string[]
  /** @param address what the channel wrote into the address itself */
  send(
    address: ChannelAddress['details'],
    text: string,
    delivery: { messageId: string; sessionId: string },
  ): Promise<void>
}

/** Where a customer is reached outside a request. Texts of one ordering key follow each other. */
export interface ChannelAddress {
  channel: ChannelName
  orderingKey: string
  details: object
}

/** The parts of the process that channels need. */
export interface ChannelPorts {
  breakers: { get(name: ChannelName): Pick<Breaker, 'run'> }
  clock: Clock
  fetch: Fetch
}

/** Parts beside those for channels that fetch their messages. */
export interface InboxPorts extends ChannelPorts {
  db: Database
  log: Log<'info' | 'warn'>
  /** Whether a person wrote a message. */
  isOfPerson(messageId: string): Promise<boolean>
  /** Files that a message is. */
  filesOf(messageId: string): Promise<{ name: string; bytes: Uint8Array }[]>
}
