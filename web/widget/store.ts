/** Things that a tab keeps for the next page of the shop. */
export interface TabKept {
  /** The panel is open. */
  open?: boolean
  /** Messages that the service may not have yet, in their order, with the keys that make a second try the same message. */
  unsent?: { key: string; content: string }[]
}

/** Things that a browser keeps, for all tabs. */
export interface BrowserKept {
  token?: string
  /** A person was called or writes: their words are waited for though the panel is closed. */
  live?: boolean
  /** The last message that was there while the panel was open. */
  seen?: string
  /** The end of a person's work that was rated. */
  rated?: string
}

/** The store of a conversation; a page that may not store anything has it in memory for as long as it is open. */
export function createStore(key: string) {
  const name = `frontdesk.${key}`
  const browser = createDrawer<BrowserKept>(() => localStorage, name)
  return {
    get token(): string {
      return browser.kept.token ?? ''
    },
    tab: createDrawer<TabKept>(() => sessionStorage, name),
    browser,
    /** Tells other tabs of the same conversation, and hears of them. */
    channel: new BroadcastChannel(name),
    lock: name,
  }
}

/** Where values stay, or a variable where nothing may be stored. */
function createDrawer<T extends object>(open: () => Storage, name: string) {
  let last = '{}'
  return {
    get kept(): T {
      try {
        const text = open().getItem(name) ?? last
        const kept = JSON.parse(text)
        last = text
        return kept
      } catch {
        return JSON.parse(last)
      }
    },
    keep(change: T): void {
      const text = JSON.stringify({ ...this.kept, ...change })
      if (text === last) return
      last = text
      try {
        open().setItem(name, text)
      } catch {}
    },
  }
}

export type Store = ReturnType<typeof createStore>
