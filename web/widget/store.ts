/** What a browser keeps of a conversation; a page that may not store anything has it for as long as it is open. */
export function createStore(key: string) {
  const name = `frontdesk.${key}`
  let token: string | null = null
  const storage = (() => {
    try {
      return localStorage
    } catch {
      return null
    }
  })()
  return {
    get token(): string | null {
      try {
        return storage?.getItem(name) ?? token
      } catch {
        return token
      }
    },
    set token(value: string | null) {
      token = value
      try {
        if (value === null) storage?.removeItem(name)
        else storage?.setItem(name, value)
      } catch {}
    },
    /** Tells other tabs of the same conversation, and hears of them. */
    channel: typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(name),
    lock: `${name}.events`,
  }
}

export type Store = ReturnType<typeof createStore>
