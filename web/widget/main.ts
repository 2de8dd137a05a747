import { createClient } from '../../clients/typescript/src/client.ts'
import { type Conversation, createConversation } from './conversation.ts'
import { createStore } from './store.ts'
import { createView, type View } from './view.ts'

type Listener = (detail: unknown) => void
type EventName = 'ready' | 'open' | 'close' | 'message'

declare global {
  interface Window {
    /** The one thing that the page sees of it. */
    frontdesk?: {
      open(): void
      close(): void
      /** Says who the customer is, by a token that the shop's server has signed. */
      identify(identity: string): Promise<void>
      /** Hears of `ready`, `open`, `close` and `message`. @returns stops it */
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
    for (const listener of listeners.get(event) ?? []) listener(detail)
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
      await conversation?.identify(identity)
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
    const settings = await createClient({ baseUrl, credentials: 'omit' }).request('GET /api/v1/widget/settings', {
      query: { key },
    })
    await bodyIsThere()
    conversation = createConversation({
      baseUrl,
      key,
      identity,
      store: createStore(key),
      onChange(isNews) {
        view?.update(isNews)
        if (isNews) tell('message', conversation?.messages.at(-1)?.content)
      },
    })
    const place = target ? document.querySelector<HTMLElement>(target) : null
    view = createView({
      settings,
      conversation,
      baseUrl,
      place,
      onToggle: (isOpen) => tell(isOpen ? 'open' : 'close'),
    })
    tell('ready')
    if (wantsOpen) view.toggle(true)
  }
}

function bodyIsThere(): Promise<void> {
  return new Promise((resolve) => {
    if (document.body) resolve()
    else document.addEventListener('DOMContentLoaded', () => resolve(), { once: true })
  })
}
