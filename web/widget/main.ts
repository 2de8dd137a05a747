import { createPlainClient } from '../../clients/typescript/src/plain-client.ts'
import { type Conversation, createConversation } from './conversation.ts'
import { createStore } from './store.ts'
import { createView, type View } from './view.ts'

type Listener = (detail: unknown) => void
type EventName = 'ready' | 'open' | 'close' | 'message' | 'identity'

declare global {
  interface Window {
    /** The one thing that the page sees of it. */
    frontdesk?: {
      open(): void
      close(): void
      /** Says who the customer is, by a token that the shop's server has signed. */
      identify(identity: string): Promise<void>
      /** Hears of `ready`, `open`, `close`, `message`, and `identity`: another word is wanted. @returns stops it */
      on(event: EventName, listener: Listener): () => void
    }
  }
}

const script = document.currentScript as HTMLScriptElement | null
if (script && !window.frontdesk) start(script)

/** A page is never harmed: whatever goes wrong here ends here. */
function start({ src, dataset }: HTMLScriptElement): void {
  const { key = '', identity, target } = dataset
  const baseUrl = new URL(src).origin
  const listeners = new Map<EventName, Set<Listener>>()
  const tell = (event: EventName, detail: unknown = undefined) => {
    for (const listener of listeners.get(event) ?? []) {
      try {
        listener(detail)
      } catch (error) {
        // Their failures are the page's, and are shown there.
        setTimeout(() => {
          throw error
        })
      }
    }
  }
  let view: View | undefined
  let conversation: Conversation | undefined
  let wantsOpen = false
  window.frontdesk = {
    open() {
      wantsOpen = true
      view?.toggle(true)
    },
    close() {
      wantsOpen = false
      view?.toggle(false)
    },
    async identify(identity) {
      await ready
      // What went wrong is said in the panel.
      await conversation?.identify(identity).catch(() => {})
    },
    on(event, listener) {
      const known = listeners.get(event) ?? new Set()
      listeners.set(event, known.add(listener))
      return () => void known.delete(listener)
    },
  }
  // biome-ignore lint/suspicious/noConsole: whoever puts it on a page must see why it does not appear
  const ready = show().catch((error: unknown) => console.warn('Frontdesk:', error))

  async function show(): Promise<void> {
    const settings = await createPlainClient({ baseUrl, credentials: 'omit' }).request('GET /api/v1/widget/settings', {
      query: { key },
    })
    await bodyIsThere()
    const store = createStore(key)
    conversation = createConversation({
      baseUrl,
      key,
      identity,
      store,
      onChange(news) {
        view?.update(news !== undefined)
        if (news) tell('message', news.content)
      },
      onFailure: (error) => view?.fail(error),
      onUnknown: () => tell('identity'),
    })
    const place = target ? document.querySelector<HTMLElement>(target) : null
    view = createView({
      settings,
      conversation,
      baseUrl,
      place,
      onToggle(isOpen) {
        store.tab.keep({ open: isOpen })
        tell(isOpen ? 'open' : 'close')
      },
    })
    tell('ready')
    if (wantsOpen) view.toggle(true)
    else view.resume({ isOpen: store.tab.kept.open === true, isLive: store.browser.kept.live === true })
  }
}

function bodyIsThere(): Promise<void> {
  return new Promise((resolve) => {
    if (document.body) resolve()
    else document.addEventListener('DOMContentLoaded', () => resolve(), { once: true })
  })
}
