import { request as httpRequest, type IncomingMessage } from 'node:http'
import { departures, ERROR, type Shape } from './shapes.ts'
import { type Exchange, outlineOf } from './transcript.ts'

export interface Form {
  fields: Record<string, string>
  file?: { name: string; content: string }
}

export interface Asked {
  /** Values of the names in braces; the transcript keeps the names. */
  path?: Record<string, string>
  query?: string
  body?: unknown
  form?: Form
  /** 200 when absent. */
  status?: number
  /** What the specification says of the body; of a refusal it always says the same. */
  is?: Shape
}

export interface Answer {
  status: number
  headers: IncomingMessage['headers']
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a client looks into whatever body came back
  body: any
}

/** A client that knows the specification and nothing else: no header but those that it names. */
export type Client = ReturnType<typeof createClient>

/** @param keyFor the header for a path, where the client sends one */
export function createClient(origin: string, keyFor: (path: string) => string | undefined) {
  const transcript: Exchange[] = []
  const complaints: string[] = []

  /** Asks, keeps what came in the transcript, and notes where it is not as specified. */
  async function ask(step: string, method: string, template: string, asked: Asked = {}): Promise<Answer> {
    const { status = 200, is } = asked
    const path = template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(asked.path?.[name] ?? ''))
    const answer = await send(origin, method, `/api/v1${path}${asked.query ?? ''}`, { ...asked, key: keyFor(template) })
    const request = `${method} ${template}${asked.query ?? ''}`
    if (transcript.some((each) => each.step === step)) complaints.push(`${step}: is there twice`)
    transcript.push({ step, request, status: answer.status, body: outlineOf(answer.body) })
    if (answer.status !== status) complaints.push(`${step}: ${answer.status} instead of ${status}: ${answer.text}`)
    else if (status >= 400 || is) {
      const shape = status >= 400 ? ERROR : (is as Shape)
      complaints.push(...departures(answer.body, shape).map((departure) => `${step}: ${departure}`))
    }
    return answer
  }

  /** Something that a client relies on, beyond statuses and fields. */
  function expectThat(step: string, condition: boolean, found: unknown): void {
    if (!condition) complaints.push(`${step}: ${JSON.stringify(found)?.slice(0, 300)}`)
  }

  return { ask, expectThat, transcript, complaints }
}

export async function send(
  origin: string,
  method: string,
  path: string,
  { body, form, key }: Pick<Asked, 'body' | 'form'> & { key?: string | undefined } = {},
): Promise<Answer> {
  const content = form ? encodeForm(form) : body === undefined ? undefined : encodeJson(body)
  const headers = {
    ...(key === undefined ? {} : { 'X-API-Key': key }),
    ...(content ? { 'Content-Type': content.type, 'Content-Length': content.bytes.length } : {}),
    // One connection each: a client that keeps none open has nothing to be careful about.
    Connection: 'close',
  }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest(`${origin}${path}`, { method, headers }, resolve).on('error', reject).end(content?.bytes)
  })
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString('utf8')
  return { status: response.statusCode ?? 0, headers: response.headers, text, body: parsed(text) }
}

function parsed(text: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const encodeJson = (body: unknown) => ({ type: 'application/json', bytes: Buffer.from(JSON.stringify(body)) })

function encodeForm({ fields, file }: Form) {
  const boundary = 'a-form-of-the-specification'
  const part = (disposition: string, content: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`
  const parts = Object.entries(fields).map(([name, value]) => part(`name="${name}"`, value))
  if (file) parts.push(part(`name="file"; filename="${file.name}"`, file.content))
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.from(`${parts.join('')}--${boundary}--\r\n`),
  }
}
