import type { Config } from '../../src/config.ts'

/** The endpoints of people, asked over HTTP or within this process. */
export interface Staff {
  /** @param path after `/api/v1/console/people`. Throws with the answer's own words when it is refused. */
  ask(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<StaffAnswer>
  close(): Promise<unknown>
}

export interface StaffAnswer {
  people?: { name: string; display_name: string; role: string; is_active: boolean; last_seen_at: string | null }[]
  password?: string
  display_name?: string
  role?: string
  is_active?: boolean
}

export const PEOPLE = '/api/v1/console/people'
const PROBE_MS = 2_000

/** The service that runs on this machine; null: none answers. Throws where one does and there is no key to ask it with. */
export async function askService(config: Config, givenKey: string | undefined): Promise<Staff | null> {
  const host = ['0.0.0.0', '::'].includes(config.host) ? '127.0.0.1' : config.host
  const origin = `http://${host.includes(':') ? `[${host}]` : host}:${config.PORT}`
  const signal = AbortSignal.timeout(PROBE_MS)
  const isThere = await fetch(`${origin}/api/v1/health`, { signal }).then(
    ({ ok }) => ok,
    () => false,
  )
  if (!isThere) return null
  const key = givenKey ?? config.API_KEY
  if (key === '') throw new Error(`A service answers at ${origin}, and API_KEY is empty: give its key as FRONTDESK_KEY`)
  return {
    async ask(method, path, body) {
      const json = body === undefined ? {} : { body: JSON.stringify(body) }
      const headers = { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) }
      const response = await fetch(`${origin}${PEOPLE}${path}`, { method, headers, ...json })
      return checked(response.status, await response.text())
    },
    close: () => Promise.resolve(),
  }
}

export function checked(status: number, text: string): StaffAnswer {
  if (status < 400) return JSON.parse(text) as StaffAnswer
  const { detail = text } = JSON.parse(text) as { detail?: string }
  throw new Error(`${detail} (${status})`)
}
