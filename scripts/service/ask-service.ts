import type { Config } from '../../src/config.ts'

/** The program's endpoints, asked over HTTP or within this process. */
export interface Service {
  /** @param path from `/api/v1/` on. Throws with the answer's own words when it is refused. */
  ask<T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<T>
  close(): Promise<unknown>
}

export const API = '/api/v1/'
const PROBE_MS = 2_000

/** The service that runs on this machine; null: none answers. Throws where one does and there is no key to ask it with. */
export async function askService(config: Config, givenKey: string | undefined): Promise<Service | null> {
  const host = ['0.0.0.0', '::'].includes(config.host) ? '127.0.0.1' : config.host
  const origin = `http://${host.includes(':') ? `[${host}]` : host}:${config.PORT}`
  const signal = AbortSignal.timeout(PROBE_MS)
  const isThere = await fetch(`${origin}/api/v1/health`, { signal }).then(
    ({ ok }) => ok,
    () => false,
  )
  if (!isThere) return null
  const key = givenKey ?? config.API_KEY
  if (key === '' && !config.isKeyless) {
    throw new Error(`A service answers at ${origin}, and API_KEY is empty: give its key as FRONTDESK_KEY`)
  }
  return {
    async ask<T>(method: string, path: string, body?: object) {
      const json = body === undefined ? {} : { body: JSON.stringify(body) }
      const headers = {
        ...(key !== '' && { 'x-api-key': key }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      }
      const response = await fetch(`${origin}${API}${path}`, { method, headers, ...json })
      return checked(response.status, await response.text()) as T
    },
    close: () => Promise.resolve(),
  }
}

export function checked(status: number, text: string): unknown {
  if (status < 400) return JSON.parse(text)
  const { detail = text } = JSON.parse(text) as { detail?: string }
  throw new Error(`${detail} (${status})`)
}
