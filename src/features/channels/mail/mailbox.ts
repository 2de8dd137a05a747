import type { MailSettings } from './types.ts'

/** How far a folder was read; null: never. */
export interface Place {
  uidValidity: string
  lastUid: number
}

export interface Fetched {
  uid: number
  bytes: Uint8Array
  /** It is too large: this is its beginning alone. */
  isCut: boolean
}

/** A folder of a mail server. */
export interface Mailbox {
  /** The place behind the newest message. Throws when the server cannot be asked. */
  end(): Promise<Place>
  /** Messages behind a number, oldest first; of those that are too large the beginning. */
  after(uid: number): AsyncIterable<Fetched>
  close(): Promise<void>
}

const TIMEOUT_MS = 30_000
const BATCH = 50
/** Of a mail that is too large: its words stand before its files. */
const BEGINNING_BYTES = 262_144

/** Opens the folder over IMAP (RFC 3501). The library is loaded only where mail is set up. */
export async function openMailbox({ imap, folder, maxBytes }: MailSettings): Promise<Mailbox> {
  const { ImapFlow } = await import('imapflow')
  const client = new ImapFlow({
    host: imap.host,
    port: imap.port,
    secure: imap.security === 'tls',
    ...(imap.security === 'plain' && { doSTARTTLS: false }),
    ...(imap.security === 'starttls' && { doSTARTTLS: true }),
    auth: { user: imap.user, pass: imap.password },
    logger: false,
    connectionTimeout: TIMEOUT_MS,
    socketTimeout: 2 * TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
  })
  // A connection that breaks is noticed by the next command; without a listener it would end the process.
  client.on('error', () => {})
  await client.connect()
  const opened = await client.mailboxOpen(folder, { readOnly: true })
  const place = (): Place => {
    const { uidValidity, uidNext } = client.mailbox || opened
    return { uidValidity: String(uidValidity), lastUid: uidNext - 1 }
  }
  return {
    async end() {
      await client.noop()
      return place()
    },
    async *after(uid) {
      for (let from = uid + 1; ; ) {
        const listed = await client.fetchAll(`${from}:*`, { uid: true, size: true }, { uid: true })
        // A range that begins behind the last message names the last one.
        const fresh = listed
          .filter((each) => each.uid >= from)
          .toSorted((a, b) => a.uid - b.uid)
          .slice(0, BATCH)
        for (const { uid: each, size = 0 } of fresh) {
          const isCut = size > maxBytes
          const source = isCut ? { start: 0, maxLength: BEGINNING_BYTES } : true
          const found = await client.fetchOne(String(each), { source }, { uid: true })
          yield { uid: each, bytes: new Uint8Array(found === false ? [] : (found.source ?? [])), isCut }
        }
        if (fresh.length < BATCH) return
        from = (fresh.at(-1)?.uid ?? from) + 1
      }
    },
    async close() {
      await client.logout().catch(() => client.close())
    },
  }
}
