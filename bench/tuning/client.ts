import type { App } from '../../src/http/server.ts'

// biome-ignore lint/suspicious/noExplicitAny: a bench looks into whatever body came back
type Body = any

/** Requests to the program without a network; what is refused throws. */
export function createClient(app: App) {
  const send = async (url: string, payload: string | Buffer, contentType: string): Promise<Body> => {
    const response = await app.inject({ method: 'POST', url, payload, headers: { 'content-type': contentType } })
    if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}: ${response.body}`)
    return response.json()
  }
  const sendFile = async (url: string, name: string, content: string): Promise<Body> => {
    const form = new FormData()
    form.set('file', new File([content], name))
    const encoded = new Response(form)
    const contentType = encoded.headers.get('content-type') ?? ''
    return send(url, Buffer.from(await encoded.arrayBuffer()), contentType)
  }
  return {
    post: (url: string, body: object) => send(url, JSON.stringify(body), 'application/json'),
    upload: (name: string, content: string) => sendFile('/api/v1/knowledge/ingest', name, content),
    uploadTestset: (name: string, cases: readonly object[]) =>
      sendFile('/api/v1/evaluation/testsets', `${name}.json`, JSON.stringify(cases)),
  }
}
