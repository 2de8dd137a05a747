import { createHash } from 'node:crypto'
import { AppError } from '../../../kernel/errors.ts'
import type { FetchedMessage, Inbox, InboxHandler, InboxPorts } from '../channel.ts'
import { neutralMessage } from '../channel.ts'
import { nativeId } from '../links.ts'
import { type Mailbox, openMailbox } from './mailbox.ts'
import { ownWords } from './own-words.ts'
import {
  claimTask,
  countAnswers,
  findPlace,
  findSent,
  findThread,
  rememberMail,
  savePlace,
  wasRead,
} from './queries.ts'
import { readMail } from './read-mail.ts'
import type { Mail, MailAddress, MailSettings } from './types.ts'

export interface MailInboxOptions extends InboxPorts {
  settings: MailSettings
  /** Tests have folders of their own. */
  openFolder?: (settings: MailSettings) => Promise<Mailbox>
}

const CHANNEL = 'email'
/** A mail that cannot be taken so often keeps those behind it waiting no longer. */
const MAX_TRIES = 5
/** In a folder that was made anew, older ones were read before. */
const REBUILT_MS = 2 * 86_400_000
/** Words of so few characters say what they mean in the subject. */
const FEW_CHARACTERS = 12
const MAX_QUOTED = 2_000

/**
 * Reads the folder again and again, on one replica at a time: each message until it is taken, and then its place is kept. A message
 * that is read twice, because a process died in between, is known by its id.
 */
export function createMailInbox(options: MailInboxOptions): Inbox {
  const { settings, db, clock, log, breakers } = options
  const { folder, pollSeconds } = settings
  return {
    open(handler) {
      let mailbox: Mailbox | undefined
      let running: Promise<void> | undefined
      let closed = false
      const takeOrSkip = createPatience(options)

      async function poll(): Promise<void> {
        const now = new Date(clock.now())
        if (!(await claimTask(db.executor, `mail ${folder}`, now, pollSeconds * 900))) return
        mailbox ??= await (options.openFolder ?? openMailbox)(settings)
        await readNew(mailbox)
      }
      async function readNew(open: Mailbox): Promise<void> {
        const end = await open.end()
        const known = await findPlace(db.executor, folder)
        // Mails from before mail was set up are not answered.
        if (!known) return savePlace(db.executor, folder, end)
        const { uidValidity } = end
        const isRebuilt = known.uidValidity !== uidValidity
        if (isRebuilt)
          log.warn({ folder }, 'The mail folder was made anew: mails of the last two days are looked at again')
        for await (const { uid, bytes, isCut } of open.after(isRebuilt ? 0 : known.lastUid)) {
          if (closed) return
          await takeOrSkip(uid, () => takeMail(options, handler, { bytes, isCut, isRebuilt }))
          await savePlace(db.executor, folder, { uidValidity, lastUid: uid })
        }
      }
      const look = (): void => {
        if (closed || running) return
        running = breakers
          .get(CHANNEL)
          .run(poll)
          .catch(async (error: unknown) => {
            await mailbox?.close().catch(() => {})
            mailbox = undefined
            if (!isRefused(error)) log.warn({ err: error, folder }, 'Mails could not be read; it is tried again')
          })
          .finally(() => {
            running = undefined
          })
      }
      const timer = setInterval(look, pollSeconds * 1_000).unref()
      look()
      return {
        async close() {
          closed = true
          clearInterval(timer)
          await running
          await mailbox?.close()
        },
      }
    },
  }
}

/** Tries a mail so often, and then leaves it, so that those behind it wait no longer. */
function createPatience({ settings: { folder }, log }: MailInboxOptions) {
  const failures = { uid: 0, count: 0 }
  return async (uid: number, take: () => Promise<void>): Promise<void> => {
    try {
      await take()
    } catch (error) {
      failures.count = failures.uid === uid ? failures.count + 1 : 1
      failures.uid = uid
      if (failures.count < MAX_TRIES) throw error
      log.warn({ err: error, uid, folder }, 'A mail could not be taken and is left in its folder')
    }
  }
}

/** The breaker rests. */
function isRefused(error: unknown): boolean {
  return error instanceof AppError && error.code === 'circuit_open'
}

async function takeMail(
  options: MailInboxOptions,
  handler: InboxHandler,
  { bytes, isCut, isRebuilt }: { bytes: Uint8Array; isCut: boolean; isRebuilt: boolean },
): Promise<void> {
  const { settings, db, clock, log } = options
  const mail = await readMail(bytes, settings.address)
  if (!mail) return log.warn({ bytes: bytes.length }, 'A mail cannot be read and is left in its folder')
  if (mail.kind === 'own') return
  if (mail.kind === 'bounce') return handOver(options, handler, mail)
  // A machine's words are for nobody, and an answer to them would be answered.
  if (mail.kind === 'automatic') return log.info({ messageId: mail.id }, 'A mail that a machine wrote was left alone')
  const isOld = isRebuilt && clock.now() - mail.date.getTime() > REBUILT_MS
  if (isOld || (await wasRead(db.executor, mail.id))) return
  const received = await toReceived(options, mail, isCut)
  await handler.take(received)
  await rememberMail(db.executor, { id: mail.id, sessionId: received.sessionId, sentMessageId: null })
}

/** A message of ours came back. */
async function handOver({ db, log }: MailInboxOptions, handler: InboxHandler, mail: Mail): Promise<void> {
  const sent = await findSent(db.executor, mail.reported)
  if (!sent) return log.info({ messageId: mail.id }, 'A report of a mail that is not known was left alone')
  await handler.undeliverable(sent)
}

async function toReceived({ settings, db }: MailInboxOptions, mail: Mail, isCut: boolean): Promise<FetchedMessage> {
  const { address: to, name } = mail.from
  const userId = nativeId(CHANNEL, to)
  const known = await findThread(db.executor, mail.answers, userId)
  // The same for a mail that is read again.
  const sessionId = known ?? `email:${createHash('sha256').update(`${to} ${mail.id}`).digest('hex').slice(0, 40)}`
  const words = ownWords(mail.text)
  const details: MailAddress = {
    to,
    name,
    subject: mail.subject,
    id: mail.id,
    references: mail.answers.toReversed(),
    quoted: words.slice(0, MAX_QUOTED),
    date: mail.date.toISOString(),
  }
  return {
    messageId: mail.id,
    customerId: to,
    sessionId,
    content: neutralMessage('text', textOf(mail, words, known === undefined)),
    address: { orderingKey: `email:${to}`, details },
    files: mail.files,
    isCut,
    callsPerson: settings.replies === 'people',
    answers: (await countAnswers(db.executor, to)) < settings.answersPerHour,
  }
}

/** The subject is said where the words alone are too few. */
function textOf({ subject }: Mail, words: string, isFirst: boolean): string {
  const isEnough = words.length >= FEW_CHARACTERS || /[?？]/.test(words)
  return isFirst && subject !== '' && !isEnough ? `${subject}\n${words}` : words || subject
}
