import type { Client } from '../../clients/typescript/src/client.ts'
import { type StreamEvent, stream } from '../../clients/typescript/src/stream.ts'
import type { Store } from './store.ts'

export type WidgetEvent = StreamEvent<'GET /api/v1/widget/events'>
/** `said`: another tab has sent something. */
type Told = WidgetEvent | 'said'

const RETRY_MS = 2_000
const LONGEST_RETRY_MS = 30_000

interface EventsParts {
  client: Client
  store: Store
  hear: (event: WidgetEvent) => void
  /** Asks for what was said while nobody listened. */
  catchUp: () => Promise<void>
}

/** What goes on in a conversation, as it happens. One tab of a browser holds the stream, where it can, and tells the others. */
export function createEvents({ client, store, hear, catchUp }: EventsParts) {
  let isFollowing = false
  if (store.channel) {
    store.channel.onmessage = ({ data }: MessageEvent<Told>) => {
      if (data === 'said') void catchUp().catch(() => {})
      else hear(data)
    }
  }
  const tell = (told: Told) => store.channel?.postMessage(told)

  async function run(): Promise<void> {
    for (let failures = 0; ; failures++) {
      try {
        for await (const event of stream(client, 'GET /api/v1/widget/events')) {
          failures = 0
          hear(event)
          tell(event)
        }
      } catch {}
      await new Promise((resolve) => setTimeout(resolve, Math.min(LONGEST_RETRY_MS, RETRY_MS * 2 ** failures)))
      await catchUp().catch(() => {})
    }
  }

  return {
    /** Begins to listen; there is nothing to hear before the first message. */
    follow(): void {
      if (isFollowing) return
      isFollowing = true
      if (navigator.locks && store.channel) void navigator.locks.request(store.lock, run)
      else void run()
    },
    said: () => tell('said'),
  }
}
