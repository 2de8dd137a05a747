import { FrontdeskError } from '../../clients/typescript/src/error.ts'
import type { AddWidgetSession } from '../../clients/typescript/src/generated/routes.ts'
import { createPlainClient } from '../../clients/typescript/src/plain-client.ts'
import { backOff } from '../../clients/typescript/src/wait.ts'
import { createSession, isUnknown } from './session.ts'
import type { Store } from './store.ts'

interface LineParts {
  baseUrl: string
  key: string
  store: Store
  identity: string | undefined
  /** Called with each new token. @param isStranger what was written before is not this customer's */
  onBegin: (begun: AddWidgetSession['result'], isStranger: boolean) => Promise<void>
  /** The service may be there again: whatever waits for it is to be done. */
  onBack: () => Promise<void>
  onChange: () => void
  /** Called when the page has to say anew who the customer is. */
  onUnknown: () => void
}

export type Line = ReturnType<typeof createLine>

/** The way to the service: whether it is there, and tries to reach it again where it is not. Nothing is asked before `open` or `ask`. */
export function createLine({ baseUrl, key, store, identity, onBegin, onBack, onChange, onUnknown }: LineParts) {
  const client = createPlainClient({ baseUrl, credentials: 'omit', token: () => store.token })
  const session = createSession({ client, key, store, identity, onBegin: begin, onRefusal })
  const now = {
    isOffline: false,
    /** The page has to say who the customer is, as what it said does not count any more. */
    isUnknown: false,
  }
  let isWanted = false
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  addEventListener('online', () => void back())
  addEventListener('offline', () => {
    if (session.isOpen()) reach(new TypeError())
  })

  /** @param error left out: the service was reached */
  function reach(error?: unknown): void {
    if (!error) failures = 0
    if (now.isOffline === error instanceof TypeError) return
    now.isOffline = !now.isOffline
    onChange()
  }

  function begin(...begun: Parameters<LineParts['onBegin']>): Promise<void> {
    now.isUnknown = false
    reach()
    return onBegin(...begun)
  }

  function onRefusal(error: unknown): void {
    reach(error)
    if (isUnknown(error) && !now.isUnknown) {
      now.isUnknown = true
      onUnknown()
      onChange()
    }
    if (mayPass(error)) tryLater(error)
  }

  /** As the network does not always say that it is back. */
  function tryLater(error: unknown): void {
    if (isUnknown(error)) return
    const pause = error instanceof FrontdeskError && error.retryAfter !== null ? error.retryAfter * 1000 : 0
    if (timer === undefined) failures++
    clearTimeout(timer)
    timer = setTimeout(() => void back(), Math.max(pause, backOff(failures)))
  }

  async function back(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (!isWanted) return
    await onBack().catch((error: unknown) => {
      if (mayPass(error)) tryLater(error)
    })
  }

  return {
    client,
    now,
    isOpen: session.isOpen,
    open(): Promise<void> {
      isWanted = true
      return session.open()
    },
    /** Does it within a session, and knows by that whether the service is there. */
    async ask<T>(work: () => Promise<T>): Promise<T> {
      isWanted = true
      try {
        const result = await session.within(work)
        reach()
        return result
      } catch (error) {
        if (error instanceof TypeError) reach(error)
        throw error
      }
    },
    tryLater,
    /** @returns done once there is a session of this customer, where one was wanted */
    identify: (word: string): Promise<void> => session.identify(word, isWanted),
  }
}

/** Failures of the network, of the moment, of a reply that broke off, and of a customer who is to say who they are. */
export function mayPass(error: unknown): boolean {
  if (!(error instanceof FrontdeskError)) return error instanceof TypeError
  const { status, detail } = error
  return status === 0 || status === 429 || status >= 500 || isUnknown(error) || detail.endsWith('still running')
}
