import { createClient } from '../../clients/typescript/src/client.ts'
import type { ListWidgetMessages, StreamWidgetAnswer } from '../../clients/typescript/src/generated/routes.ts'
import { stream } from '../../clients/typescript/src/stream.ts'
import { createEvents, type WidgetEvent } from './events.ts'
import { createLedger, draft, type Exchange, type Message, settled } from './ledger.ts'
import { enterSession } from './session.ts'
import type { Store } from './store.ts'

export type State = ListWidgetMessages['result']['state']
export type Conversation = ReturnType<typeof createConversation>
type Done = StreamWidgetAnswer['events']['done']

interface Options {
  baseUrl: string
  key: string
  store: Store
  identity: string | undefined
  /** Called with every change, and with `true` where somebody said something new. */
  onChange: (isNews: boolean) => void
}

const TYPING_EVERY_MS = 4_000
/** Most messages that one request gives. */
const PAGE = 200

/** One conversation of this browser: what was said, what is on its way, and what goes on. */
export function createConversation({ baseUrl, key, store, identity, onChange }: Options) {
  const client = createClient({ baseUrl, credentials: 'omit', token: () => store.token ?? '' })
  const ledger = createLedger()
  const events = createEvents({ client, store, hear, catchUp })
  const now = {
    state: null as State | null,
    choices: [] as readonly string[],
    isOffline: false,
    typingUntil: 0,
    who: identity,
  }
  let opening: Promise<void> | null = null
  let toldTypingAt = 0

  function reach(isReached: boolean): void {
    if (now.isOffline !== isReached) return
    now.isOffline = !isReached
    onChange(false)
  }

  async function enter(): Promise<void> {
    const session = await enterSession(baseUrl, key, store, now.who)
    now.state = session.state
    if (session.goes_on) await catchUp()
    onChange(false)
  }

  function open(): Promise<void> {
    opening ??= enter().catch((error: unknown) => {
      opening = null
      reach(!(error instanceof TypeError))
      throw error
    })
    return opening
  }

  /** All that was said since what is known. */
  async function catchUp(): Promise<void> {
    for (let isMore = true; isMore; ) {
      const query = { limit: PAGE, ...(ledger.latest ? { after: ledger.latest } : {}) }
      const page = await client.request('GET /api/v1/widget/messages', { query }).catch((error: unknown) => {
        reach(!(error instanceof TypeError))
        throw error
      })
      reach(true)
      for (const message of page.messages) ledger.add(message)
      now.state = page.state
      isMore = page.messages.length === PAGE
    }
    if (ledger.latest) events.follow()
    onChange(false)
  }

  function hear(event: WidgetEvent): void {
    reach(true)
    if (event.event === 'typing') now.typingUntil = Date.parse(event.data.expires_at)
    if (event.event === 'message') take(event.data)
    else onChange(false)
  }

  function take(message: Message): void {
    // A reply that is being written here comes by its own stream.
    if (message.role === 'assistant' && ledger.isAnswering) return
    if (message.role !== 'user') now.typingUntil = 0
    const isNews = ledger.add(message) && message.role !== 'user'
    if (message.event) void refreshState()
    onChange(isNews)
  }

  async function refreshState(): Promise<void> {
    now.state = await client.request('GET /api/v1/widget/state').catch(() => now.state)
    onChange(false)
  }

  async function deliver(exchange: Exchange): Promise<void> {
    ledger.begin(exchange)
    now.choices = []
    onChange(false)
    try {
      await open()
      await exchangeWords(exchange)
      events.said()
      events.follow()
    } catch (error) {
      reach(!(error instanceof TypeError))
      ledger.fail(exchange)
      onChange(false)
    }
  }

  /** Sends the message, and shows the reply as it is written. */
  async function exchangeWords(exchange: Exchange): Promise<void> {
    const { message, answer } = exchange
    const input = { body: { message: message.content }, idempotencyKey: message.key }
    for await (const event of stream(client, 'POST /api/v1/widget/messages', input)) {
      reach(true)
      if (event.event === 'error') throw new Error(event.data.message)
      if (event.event === 'start') {
        delete message.pending
        message.message_id = event.data.message_id
      } else if (event.event === 'token') answer.content += event.data.content
      else finish(exchange, event.data)
      onChange(false)
    }
  }

  function finish(exchange: Exchange, done: Done): void {
    const { message_id, reply_id, reply, sources, choices, state } = done
    ledger.end(exchange)
    ledger.add(settled(exchange.message, { message_id }))
    if (reply_id) ledger.add(settled(exchange.answer, { message_id: reply_id, content: reply, sources }))
    now.choices = choices
    now.state = state
  }

  const exchangeOf = (text: string, id: string): Exchange => ({
    message: draft('user', text, 'sending', id),
    answer: draft('assistant', '', 'writing', `${id}-reply`),
  })

  return {
    get messages() {
      return ledger.messages
    },
    get state() {
      return now.state
    },
    get choices() {
      return now.choices
    },
    get isOffline() {
      return now.isOffline
    },
    get typingUntil() {
      return now.typingUntil
    },
    open,
    send: (text: string) => deliver(exchangeOf(text, newKey())),
    async retry(id: string): Promise<void> {
      const message = ledger.unsent(id)
      if (message) await deliver(exchangeOf(message.content, id))
    },
    async callPerson(language: 'zh' | 'en'): Promise<void> {
      await open()
      now.state = (await client.request('POST /api/v1/widget/handoff', { body: { language } })).state
      await catchUp()
    },
    async stopWaiting(): Promise<void> {
      now.state = (await client.request('POST /api/v1/widget/handoff/cancel')).state
      await catchUp()
    },
    async leave(message: string, email: string, language: 'zh' | 'en'): Promise<void> {
      await open()
      const input = { body: { message, email, language }, idempotencyKey: newKey() }
      now.state = (await client.request('POST /api/v1/widget/offline', input)).state
      await catchUp()
    },
    async sendFile(file: File): Promise<void> {
      await open()
      const form = { file: { content: file, name: file.name } }
      ledger.add(await client.request('POST /api/v1/widget/attachments', { form }))
      events.said()
      onChange(false)
    },
    async rateReply(id: string, rating: 'up' | 'down'): Promise<void> {
      await client.request('POST /api/v1/widget/feedback', { body: { message_id: id, rating } })
      const message = ledger.find(id)
      if (message) ledger.add({ ...message, rating })
      onChange(false)
    },
    async rate(score: number): Promise<void> {
      await client.request('POST /api/v1/widget/rating', { body: { score } })
      if (now.state) now.state = { ...now.state, can_rate: false }
      onChange(false)
    },
    /** Said every few seconds at most, and to people alone. */
    typing(): void {
      if (now.state?.status !== 'person' || Date.now() - toldTypingAt < TYPING_EVERY_MS) return
      toldTypingAt = Date.now()
      void client.request('POST /api/v1/widget/typing').catch(() => {})
    },
    /** Says who the customer is: what was said before goes on, where it was theirs. */
    async identify(word: string): Promise<void> {
      now.who = word
      opening = null
      ledger.clear()
      await open()
    },
  }
}

/** Pages of http have no `randomUUID`. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
