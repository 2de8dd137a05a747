import type { Channel, InboxPorts, Sender } from '../channel.ts'
import { composeReply, idOf } from './compose.ts'
import { createMailInbox } from './inbox.ts'
import { noteAnswer, rememberMail } from './queries.ts'
import { createSmtp } from './smtp.ts'
import type { MailAddress, MailSettings } from './types.ts'

/** Mail: a folder that is read, and answers in threads. */
export function createMailChannel(settings: MailSettings, ports: InboxPorts): Channel {
  const isOff = settings.imap.host === '' || settings.smtp.host === ''
  return {
    name: 'email',
    language: 'en',
    description: null,
    webhook: null,
    inbox: isOff ? null : createMailInbox({ ...ports, settings }),
    sender: isOff ? null : createSender(settings, ports),
  }
}

function createSender(settings: MailSettings, { db, breakers, isOfPerson, filesOf }: InboxPorts): Sender {
  const { address, name } = settings
  const send = createSmtp(settings)
  return {
    // A mail has room for everything.
    split: (text) => (text.trim() === '' ? [] : [text]),
    async send(details, text, { messageId, sessionId }) {
      const to = details as MailAddress
      const isAutomatic = !(await isOfPerson(messageId))
      // An address that somebody left on a page may be another's: only what a person wrote goes there.
      if (isAutomatic && to.id === '') return
      const files = await filesOf(messageId)
      const mail = composeReply({ name, address }, to, { messageId, text, isAutomatic, files })
      // Before it is sent: the answer to it may come at once.
      await rememberMail(db.executor, { id: idOf(messageId, address), sessionId, sentMessageId: messageId })
      await breakers.get('email').run(() => send(mail))
      if (isAutomatic) await noteAnswer(db.executor, to.to)
    },
  }
}
