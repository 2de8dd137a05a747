import { AppError } from '../../../kernel/errors.ts'
import type { Composed } from './compose.ts'
import type { MailSettings } from './types.ts'

export type SendMail = (mail: Composed) => Promise<void>

const TIMEOUT_MS = 20_000

interface SmtpFailure {
  responseCode?: number
  message?: string
}

/** Sends over SMTP (RFC 5321). Throws unavailable where time may help, and invalid where the server refuses the mail itself. */
export function createSmtp({ smtp }: MailSettings): SendMail {
  const { host, port, security, user, password } = smtp
  let opening: ReturnType<typeof open> | undefined
  async function open() {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      host,
      port,
      secure: security === 'tls',
      requireTLS: security === 'starttls',
      ignoreTLS: security === 'plain',
      ...(user !== '' && { auth: { user, pass: password } }),
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }
  return async (mail) => {
    opening ??= open()
    const transport = await opening
    await transport.sendMail(mail).catch((error: SmtpFailure) => {
      const { responseCode = 0, message = '' } = error
      const [kind, code] =
        responseCode >= 500 ? (['invalid', 'smtp_refused'] as const) : (['unavailable', 'smtp_unavailable'] as const)
      throw new AppError(kind, code, `The mail server did not take it: ${message.slice(0, 200)}`, { cause: error })
    })
  }
}
