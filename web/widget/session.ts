import { FrontdeskError } from '../../clients/typescript/src/error.ts'
import type { AddWidgetSession } from '../../clients/typescript/src/generated/routes.ts'
import type { Client } from '../../clients/typescript/src/plain-client.ts'
import type { Store } from './store.ts'

type Begun = AddWidgetSession['result']
/** Where a conversation stands. */
export type State = Begun['state']

interface SessionParts {
  client: Client
  key: string
  store: Store
  identity: string | undefined
  /** Called with each new token. @param isStranger what was written before is not this customer's */
  onBegin: (begun: Begun, isStranger: boolean) => Promise<void>
  /** Called with every failure to get one. */
  onRefusal: (error: unknown) => void
}

/** A token is made anew this long before its end, as one that has ended opens nothing any more. */
const BEFORE_END_MS = 86_400_000
const AGAIN_MS = 3_600_000

/** The token of this browser's conversation: asked for when it is needed, and made anew when it is no longer taken. */
export function createSession({ client, key, store, identity, onBegin, onRefusal }: SessionParts) {
  let who = identity
  let opening: Promise<void> | null = null
  let renewAt = Number.POSITIVE_INFINITY

  /** One tab after the other, so that two that open at once have one conversation. */
  function begin(): Promise<{ begun: Begun; had: boolean }> {
    const work = async () => {
      const token = store.token
      const body = { key, ...(who ? { identity: who } : {}), ...(token ? { token } : {}) }
      const begun = await client.request('POST /api/v1/widget/sessions', { body })
      store.browser.keep({ token: begun.token })
      return { begun, had: token !== '' }
    }
    return navigator.locks ? navigator.locks.request(`${store.lock}.session`, work) : work()
  }

  /** @param isAnew for what was said on this page, by the same customer */
  function enter(isAnew: boolean, tell = onRefusal): Promise<void> {
    const entering = begin()
      .then(({ begun, had }) => {
        renewAt = Date.parse(begun.expires_at) - BEFORE_END_MS
        return onBegin(begun, had && !begun.goes_on && !isAnew)
      })
      .catch((error: unknown) => {
        if (opening === entering) opening = null
        tell(error)
        throw error
      })
    opening = entering
    return entering
  }

  const open = (): Promise<void> => opening ?? enter(false)

  /** The token of before is good for a while where there is no new one. */
  async function renew(): Promise<void> {
    renewAt = Date.now() + AGAIN_MS
    const before = opening
    await enter(true, () => {}).catch(() => {
      opening = before
    })
  }

  return {
    isOpen: (): boolean => opening !== null,
    open,
    /** Once there is a session; where its token is not taken, once more with a new one. */
    async within<T>(work: () => Promise<T>): Promise<T> {
      await open()
      if (Date.now() > renewAt) await renew()
      const before = opening
      const token = store.token
      return work().catch(async (error: unknown) => {
        if (!(error instanceof FrontdeskError && error.status === 401)) throw error
        // Another request, or another tab, may have one by now.
        await (opening === before && store.token === token ? enter(true) : open())
        return work()
      })
    },
    /** From now on the customer is another, or the same by a new word. @returns done once there is a session, if one was wanted */
    async identify(word: string, isWanted: boolean): Promise<void> {
      who = word
      if (isWanted) await enter(false)
    },
  }
}

/** The word about who the customer is does not count: it has ended, or was used, or there is none. */
export function isUnknown(error: unknown): boolean {
  return error instanceof FrontdeskError && error.detail.startsWith('identity:')
}
