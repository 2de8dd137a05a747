import { encodeForm } from '../../support/test-app.ts'

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever body came back
  body: any
}

/** Asks a server at `origin`. Rejects when the connection breaks. */
export async function call(origin: string, method: string, path: string, body?: unknown): Promise<Answer> {
  const init = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  return answerOf(
    await fetch(`${origin}/api/v1${path}`, {
      method,
      ...init,
      signal: AbortSignal.timeout(Number(process.env.CLIENT_LIMIT_MS ?? 60_000)),
    }),
  )
}

/** Uploads a document with its registration. */
export async function upload(origin: string, name: string, text: string | Uint8Array): Promise<Answer> {
  const { body, contentType } = encodeForm(text, name, { register: 'true' })
  const headers = { 'content-type': contentType }
  const signal = AbortSignal.timeout(Number(process.env.CLIENT_LIMIT_MS ?? 60_000))
  return answerOf(await fetch(`${origin}/api/v1/knowledge/ingest`, { method: 'POST', headers, body, signal }))
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}
