import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createConnection, createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'

const DOVECOT = '/usr/sbin/dovecot'
const PASSWORD = 'mail-password'

export const hasDovecot = existsSync(DOVECOT)

/** A real IMAP server (Dovecot) with folders of mails, and a real SMTP server that delivers into them. */
export interface MailServers {
  imapPort: number
  smtpPort: number
  password: string
  /** Everything that was handed to the SMTP server, as it came. */
  sent: { from: string; to: string[]; raw: string }[]
  /** Puts a mail into somebody's folder, as a server elsewhere would bring it. */
  deliver(address: string, raw: string): void
  /** Answers of the SMTP server to the next mails; 250 when there is none left. */
  refuseNext: { code: number; message: string }[]
  close(): Promise<void>
}

export async function startMailServers(): Promise<MailServers> {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-mail-'))
  const imapPort = await freePort()
  const dovecot = startDovecot(folder, imapPort)
  await reachable(imapPort)
  const sent: MailServers['sent'] = []
  const refuseNext: MailServers['refuseNext'] = []
  let count = 0
  const deliver = (address: string, raw: string): void => {
    const box = join(folder, 'mail', address.split('@')[0] ?? '', 'new')
    mkdirSync(box, { recursive: true })
    for (const other of ['cur', 'tmp']) mkdirSync(join(box, '..', other), { recursive: true })
    writeFileSync(join(box, `${Date.now()}.${process.pid}_${count++}.test`), raw)
    spawnSync('chown', ['-R', 'nobody', join(folder, 'mail')])
  }
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      password === PASSWORD ? done(null, { user: username }) : done(new Error('Wrong password')),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const refusal = refuseNext.shift()
        if (refusal) return done(Object.assign(new Error(refusal.message), { responseCode: refusal.code }))
        const { mailFrom, rcptTo } = session.envelope
        const raw = Buffer.concat(chunks).toString()
        const to = rcptTo.map(({ address }) => address)
        sent.push({ from: mailFrom ? mailFrom.address : '', to, raw })
        done()
      })
    },
  })
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  return {
    imapPort,
    smtpPort: (smtp.server.address() as AddressInfo).port,
    password: PASSWORD,
    sent,
    deliver,
    refuseNext,
    async close() {
      dovecot.kill('SIGTERM')
      await new Promise<void>((resolve) => smtp.close(() => resolve()))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The smallest set-up: one password for all, folders below one of its own. */
function startDovecot(folder: string, port: number): ChildProcess {
  const config = join(folder, 'dovecot.conf')
  for (const part of ['run', 'state', 'mail']) mkdirSync(join(folder, part), { recursive: true })
  const { username } = userInfo()
  writeFileSync(
    config,
    `
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
default_internal_user = ${username === 'root' ? 'dovecot' : username}
default_login_user = ${username === 'root' ? 'dovenull' : username}
first_valid_uid = 1
mail_location = maildir:${folder}/mail/%n
mail_uid = nobody
mail_gid = nogroup
service imap-login {
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
  chroot =
}
service anvil {
  chroot =
}
passdb {
  driver = static
  args = password=${PASSWORD}
}
userdb {
  driver = static
  args = uid=nobody gid=nogroup home=${folder}/mail/%n
}
`,
  )
  spawnSync('chmod', ['-R', '777', folder])
  const child = spawn(DOVECOT, ['-F', '-c', config], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.on('exit', (code) => {
    if (code)
      process.stderr.write(
        `dovecot ended with ${code}\n${existsSync(`${folder}/log`) ? readFileSync(`${folder}/log`, 'utf8') : ''}`,
      )
  })
  return child
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function reachable(port: number): Promise<void> {
  for (const until = Date.now() + 15_000; ; ) {
    const isThere = await new Promise<boolean>((resolve) => {
      const socket = createConnection(port, '127.0.0.1')
      socket.once('data', () => resolve(true)).once('error', () => resolve(false))
      setTimeout(() => resolve(false), 1_000)
      socket.once('data', () => socket.destroy())
    })
    if (isThere) return
    if (Date.now() > until) throw new Error('The IMAP server does not answer')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
