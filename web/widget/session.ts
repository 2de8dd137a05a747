import { type Client, createClient } from '../../clients/typescript/src/client.ts'
import { FrontdeskError } from '../../clients/typescript/src/error.ts'
import type { AddWidgetSession } from '../../clients/typescript/src/generated/routes.ts'
import type { Store } from './store.ts'

/** A new token for the conversation of this browser, or for a new one. */
export async function enterSession(
  baseUrl: string,
  key: string,
  store: Store,
  identity: string | undefined,
): Promise<AddWidgetSession['result']> {
  const client = createClient({ baseUrl, credentials: 'omit' })
  const body = { key, ...(identity ? { identity } : {}) }
  const token = store.token
  const session = await begin(client, { ...body, ...(token ? { token } : {}) }).catch((error: unknown) => {
    // A token of another time or another customer: a conversation of its own begins.
    if (!token || !isRefused(error)) throw error
    store.token = null
    return begin(client, body)
  })
  store.token = session.token
  return session
}

function begin(client: Client, body: AddWidgetSession['body']): Promise<AddWidgetSession['result']> {
  return client.request('POST /api/v1/widget/sessions', { body })
}

function isRefused(error: unknown): boolean {
  return error instanceof FrontdeskError && error.status !== 429 && error.status < 500
}
