/** Settings of mail; without a host of either server mail is off. */
export interface MailSettings {
  imap: MailServer
  smtp: MailServer
  folder: string
  /** The address that customers write to, and its name. */
  address: string
  name: string
  /** Whom the answers are left to. */
  replies: 'assistant' | 'people'
  pollSeconds: number
  /** Answers of the assistant to one address within an hour; more are given to a machine. */
  answersPerHour: number
  maxBytes: number
}

export interface MailServer {
  host: string
  port: number
  /** `tls` from the first byte, `starttls` demanded, or `plain` for servers of this machine. */
  security: 'tls' | 'starttls' | 'plain'
  user: string
  password: string
}

export interface MailFile {
  name: string
  bytes: Uint8Array
}

/** A message as it was read. */
export interface Mail {
  /** Of the message, without angle brackets; made of its bytes where it has none. */
  id: string
  /** Messages that it answers, the nearest first. */
  answers: string[]
  from: { address: string; name: string }
  subject: string
  /** Everything, quotes and signatures too. */
  text: string
  date: Date
  files: MailFile[]
  kind: MailKind
  /** Of a message that could not be delivered: ids that stand in the report. */
  reported: string[]
}

/** `automatic`: written by a machine, so that answering would go on for ever; `bounce`: a message of ours came back. */
export type MailKind = 'person' | 'automatic' | 'bounce' | 'own'

/** Where a customer's mails are answered. */
export interface MailAddress {
  to: string
  name: string
  subject: string
  /** The message that is answered, and those before it; empty: it was not a mail. */
  id: string
  references: string[]
  /** Its own words, quoted below the answer. */
  quoted: string
  /** ISO 8601. */
  date: string
}
