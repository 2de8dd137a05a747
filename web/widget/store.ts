/** What a tab keeps for the next page of the shop. */
export interface TabKept {
  /** The panel is open. */
  open?: boolean
  /** Messages that the service may not have yet, in their order, with the keys that make a second try the same message. */
  unsent?: { key: string; content: string }[]
}

/** What a browser keeps beside the token. */
export interface BrowserKept {
  /** A person was called or writes: their words are waited for though the panel is closed. */
  live?: boolean
  /** The last message that was there while the panel was open. */
  seen?: string
  /** The end of a person's work that was rated. */
  rated?: string
}

/** What a browser keeps of a conversation; a page that may not store anything has it for as long as it is open. */
export function createStore(key: string) {
  const name = `frontdesk.${key}`
  const token = createDrawer(() => localStorage, name)
  return {
    get token(): string | null {
      return token.value
    },
    set token(value: string | null) {
      token.value = value
    },
    tab: createKeeper<TabKept>(createDrawer(() => sessionStorage, name)),
    browser: createKeeper<BrowserKept>(createDrawer(() => localStorage, `${name}.kept`)),
    /** Tells other tabs of the same conversation, and hears of them. */
    channel: typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(name),
    lock: name,
  }
}

interface Drawer {
  value: string | null
}

/** Where a value stays, or this variable where nothing may be stored. */
function createDrawer(open: () => Storage, name: string): Drawer {
  let last: string | null = null
  return {
    get value(): string | null {
      try {
        return open().getItem(name) ?? last
      } catch {
        return last
      }
    },
    set value(value: string | null) {
      last = value
      try {
        if (value === null) open().removeItem(name)
        else open().setItem(name, value)
      } catch {}
    },
  }
}

function createKeeper<T extends object>(drawer: Drawer) {
  const read = (): Partial<T> => {
    try {
      return JSON.parse(drawer.value ?? '{}')
    } catch {
      return {}
    }
  }
  return {
    get kept(): Partial<T> {
      return read()
    },
    keep(change: Partial<T>): void {
      const before = drawer.value
      const after = JSON.stringify({ ...read(), ...change })
      if (after !== before) drawer.value = after
    },
  }
}

export type Store = ReturnType<typeof createStore>
