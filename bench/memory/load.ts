import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { encodeForm } from '../../test/support/test-app.ts'

const HELP_CENTRE = new URL('../../sample/help-centre/', import.meta.url)
/** Of a hundred requests: this many uploads, and of the questions this many that were asked before. */
const UPLOADS_PERCENT = 4
const REPEATED_PERCENT = 50
const DOCUMENTS = 100
const TURNS_OF_A_SESSION = 6

interface SampleFile {
  name: string
  bytes: Uint8Array
}

/** The sample shop's documents. */
export function sampleFiles(): SampleFile[] {
  return ['zh', 'en'].flatMap((language) => {
    const folder = new URL(`${language}/`, HELP_CENTRE)
    return readdirSync(folder).map((name) => ({ name, bytes: readFileSync(new URL(name, folder)) }))
  })
}

export async function uploadTo(origin: string, name: string, content: string | Uint8Array): Promise<void> {
  const { body, contentType } = encodeForm(content, name, { register: 'true' })
  const headers = { 'content-type': contentType }
  await expectOk(await fetch(`${origin}/api/v1/knowledge/ingest`, { method: 'POST', headers, body }))
}

/** `ratePerSecond` requests until `endsAt` (as `Date.now()` counts): questions new and repeated, and uploads. */
export async function runLoad(origin: string, ratePerSecond: number, endsAt: number): Promise<number> {
  const lines = sampleFiles()
    .filter(({ name }) => name.endsWith('.md'))
    .flatMap(({ bytes }) => Buffer.from(bytes).toString().split('\n'))
    .filter((line) => line.length > 20)
  let sent = 0
  const startedAt = Date.now()
  const workers = Array.from({ length: 8 }, async () => {
    while (Date.now() < endsAt) {
      const number = sent++
      await sleep(Math.max(0, startedAt + (number * 1_000) / ratePerSecond - Date.now()))
      await step(origin, number, lines)
    }
  })
  await Promise.all(workers)
  return sent
}

function step(origin: string, number: number, lines: readonly string[]): Promise<void> {
  const percent = (number * 37) % 100
  const line = lines[(number * 7_919) % lines.length] as string
  if (percent < UPLOADS_PERCENT) {
    const text = `# Page ${number % DOCUMENTS}\n\n${line}\n\nRevision ${number}.`
    return uploadTo(origin, `page-${number % DOCUMENTS}.md`, text)
  }
  const isRepeated = percent % 100 < REPEATED_PERCENT
  const message = isRepeated ? (lines[number % 20] as string) : `${line.slice(0, 60)} ${number}?`
  return ask(origin, message.slice(0, 200), `load-${Math.floor(number / TURNS_OF_A_SESSION)}`, number % 2 === 0)
}

async function ask(origin: string, message: string, sessionId: string, streams: boolean): Promise<void> {
  const response = await fetch(`${origin}/api/v1/chat${streams ? '/stream' : ''}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message, session_id: sessionId }),
  })
  await expectOk(response)
}

async function expectOk(response: Response): Promise<void> {
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${text}`)
}
