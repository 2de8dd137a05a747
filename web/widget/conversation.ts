import { FrontdeskError } from '../../clients/typescript/src/error.ts'
import type { ListWidgetMessages } from '../../clients/typescript/src/generated/routes.ts'
import { createActs } from './acts.ts'
import { createEvents, type WidgetEvent } from './events.ts'
import { createLedger, type Message } from './ledger.ts'
import { createLine } from './line.ts'
import { createOutbox, type Done } from './outbox.ts'
import type { State } from './session.ts'
import type { Store } from './store.ts'

export type Conversation = ReturnType<typeof createConversation>

interface Options {
  baseUrl: string
  key: string
  store: Store
  identity: string | undefined
  /** Called with every change, and with what somebody else said where it is new. */
  onChange: (news?: Message) => void
  /** Called where what was written does not go, and will not by itself. */
  onFailure: (error: unknown) => void
  /** Called when the page has to say anew who the customer is. */
  onUnknown: () => void
}

type Wiring = ReturnType<typeof wire>

/** The place in the queue moves by what others do, which nobody tells. */
const LOOK_EVERY_MS = 15_000
/** Most messages that one request gives. */
const PAGE = 200
const noop = () => {}

/** One conversation of this browser: what was said, what is on its way, and what goes on. */
export function createConversation(options: Options) {
  const { now, ledger, line, outbox, acts, events } = wire(options)
  const writing = (work: Promise<void>): Promise<void> => {
    now.choices = []
    return work
  }
  return {
    now,
    line: line.now,
    get messages() {
      return ledger.messages
    },
    /** What a person did was not rated yet. */
    get canRate() {
      return now.state?.can_rate === true && options.store.browser.kept.rated !== lastEnd(ledger)
    },
    open: line.open,
    send: (text: string) => writing(outbox.say(text)),
    sendFile: (file: File) => writing(outbox.sendFile(file)),
    retry: outbox.retry,
    callPerson: acts.callPerson,
    stopWaiting: acts.stopWaiting,
    leave: acts.leave,
    rateReply: acts.rateReply,
    rate: acts.rate,
    /** People alone are told. */
    typing(): void {
      if (now.state?.status === 'person') acts.typing()
    },
    /** What is there was seen. */
    see(): void {
      const last = ledger.messages.findLast(({ pending }) => !pending)
      if (last) options.store.browser.keep({ seen: last.message_id })
    },
    /** Says who the customer is: what was said before goes on, where it was theirs. */
    async identify(word: string): Promise<void> {
      await line.identify(word)
      events.restart()
    },
  }
}

/** What it is made of, each part told of the others. */
function wire({ store, onChange, onFailure, ...options }: Options) {
  const ledger = createLedger()
  const now = {
    state: null as State | null,
    choices: [] as readonly string[],
    /** What was said before has been read. */
    isRead: false,
    typingUntil: 0,
  }
  const line = createLine({
    ...options,
    store,
    onChange,
    onBegin: (begun, isStranger) => begin({ isOther: !begun.goes_on, isStranger, state: begun.state }),
    async onBack() {
      events.restart()
      await line.open()
      await reading.catchUp()
      await outbox.send()
    },
  })
  const reading = createReading({ ledger, line, store, now, setState, follow: () => events.follow(), onChange })
  const events = createEvents({ client: line.client, store, hear, catchUp: reading.catchUp })
  const outbox = createOutbox({
    client: line.client,
    ledger,
    store,
    within: line.ask,
    isAnswered: () => now.state?.status !== 'person',
    onChange,
    onArrival,
    onFailure,
    onTrouble(error) {
      if (error instanceof FrontdeskError && error.status === 429) onFailure(error)
      line.tryLater(error)
    },
  })
  const acts = createActs({ line, ledger, setState, onChange, onRated, onDone: tellAll })

  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void reading.catchUp().catch(noop)
  })
  setInterval(() => {
    if (now.state?.status === 'waiting' && !document.hidden) void reading.look()
  }, LOOK_EVERY_MS)

  function setState(state: State): void {
    now.state = state
    const live = state.status === 'waiting' || state.status === 'person'
    store.browser.keep({ live })
    if (!live) return
    acts.endCall()
    now.choices = []
  }

  async function begin(begun: { isOther: boolean; isStranger: boolean; state: State }): Promise<void> {
    setState(begun.state)
    if (begun.isStranger) outbox.drop()
    if (begun.isOther) {
      ledger.forget()
      now.choices = []
      events.tell('begun')
    } else await reading.readOn()
    now.isRead = true
    onChange()
    void outbox.send()
  }

  function hear(event: WidgetEvent): void {
    if (event.event === 'typing') now.typingUntil = Date.parse(event.data.expires_at)
    if (event.event === 'message') take(event.data)
    else onChange()
  }

  function take(message: Message): void {
    now.typingUntil = 0
    const isNew = ledger.add(message)
    if (message.event) void reading.look()
    onChange(isNew ? message : undefined)
  }

  /** One of what was written here is there, and its reply. */
  function onArrival(done?: Done): void {
    now.choices = done?.choices ?? []
    if (done) setState(done.state)
    onChange(done?.reply_id ? ledger.find(done.reply_id) : undefined)
    void tellAll()
  }

  function onRated(): void {
    store.browser.keep({ rated: lastEnd(ledger) })
  }

  async function tellAll(): Promise<void> {
    events.tell('said')
    await reading.catchUp().catch(noop)
  }

  return { now, ledger, line, outbox, acts, events }
}

/** When a person's work ended last. */
function lastEnd({ messages }: Wiring['ledger']): string | undefined {
  return messages.findLast(({ event }) => event === 'resolved')?.message_id
}

interface ReadingParts extends Pick<Wiring, 'now' | 'ledger' | 'line'> {
  store: Store
  setState: (state: State) => void
  /** There is something to listen to. */
  follow: () => void
  onChange: (news?: Message) => void
}

/** What the service has: all that was said, in its order, and where the conversation stands. */
function createReading({ now, ledger, line, store, setState, follow, onChange }: ReadingParts) {
  let last = Promise.resolve()

  async function readOn(): Promise<void> {
    const { seen } = store.browser.kept
    const fresh: Message[] = []
    for (let isMore = true; isMore; ) {
      const { messages, state } = await nextPage()
      fresh.push(...ledger.follow(messages))
      setState(state)
      isMore = messages.length === PAGE
    }
    if (ledger.cursor) follow()
    onChange()
    const at = fresh.findIndex(({ message_id: id }) => id === seen)
    // Of the first reading, what came after what was seen on another page.
    const news = now.isRead ? fresh : at < 0 ? [] : fresh.slice(at + 1)
    for (const message of news) if (message.role !== 'user') onChange(message)
  }

  function nextPage(): Promise<ListWidgetMessages['result']> {
    const after = ledger.cursor
    const query = { limit: PAGE, ...(after ? { after } : {}) }
    return line.client.request('GET /api/v1/widget/messages', { query }).catch((error: unknown) => {
      // Another tab has begun another conversation.
      if (!(after && error instanceof FrontdeskError && error.status === 404)) throw error
      ledger.forget()
      return nextPage()
    })
  }

  return {
    readOn,
    /** All that was said since what was read, one after the other: nobody asks before it is opened. */
    catchUp(isOther = false): Promise<void> {
      if (isOther) ledger.forget()
      last = last.catch(noop).then(() => (line.isOpen() ? line.ask(readOn) : undefined))
      return last
    },
    /** Where it stands. */
    async look(): Promise<void> {
      const state = line.isOpen() && (await line.ask(() => line.client.request('GET /api/v1/widget/state')).catch(noop))
      if (state) setState(state)
      onChange()
    },
  }
}
