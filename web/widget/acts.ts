import { newKey } from './ids.ts'
import type { createLedger } from './ledger.ts'
import type { Line } from './line.ts'
import type { State } from './session.ts'

interface ActsParts {
  line: Line
  ledger: ReturnType<typeof createLedger>
  setState: (state: State) => void
  onChange: () => void
  onRated: () => void
  /** Something was done that is to be read, here and in other tabs. */
  onDone: () => Promise<void>
}

const TYPING_EVERY_MS = 4_000
const CALL = 'call'

/** Things that a customer does beside writing. */
export function createActs({ line: { client, ask }, ledger, setState, onChange, onRated, onDone }: ActsParts) {
  let toldTypingAt = 0
  /** The key of what is asked once, until it is done. */
  let asked = { sign: '', key: '' }

  /** Work that is asked for again because its answer was lost is done once. */
  async function once(sign: string, work: (idempotencyKey: string) => Promise<{ state: State }>): Promise<void> {
    if (asked.sign !== sign) asked = { sign, key: newKey() }
    const { key } = asked
    await done(await ask(() => work(key)))
    if (asked.key === key) asked.sign = ''
  }

  function done({ state }: { state: State }): Promise<void> {
    setState(state)
    return onDone()
  }

  return {
    /** The call for a person has come to something: the next one is another. */
    endCall(): void {
      if (asked.sign === CALL) asked.sign = ''
    },
    callPerson: (language: 'zh' | 'en'): Promise<void> =>
      once(CALL, (idempotencyKey) =>
        client.request('POST /api/v1/widget/handoff', { body: { language }, idempotencyKey }),
      ),
    stopWaiting: async (): Promise<void> => done(await ask(() => client.request('POST /api/v1/widget/handoff/cancel'))),
    leave(message: string, email: string, language: 'zh' | 'en'): Promise<void> {
      const body = { message, email, language }
      return once(JSON.stringify(body), (idempotencyKey) =>
        client.request('POST /api/v1/widget/offline', { body, idempotencyKey }),
      )
    },
    async rateReply(id: string, rating: 'up' | 'down'): Promise<void> {
      const body = { message_id: id, rating }
      await ask(() => client.request('POST /api/v1/widget/feedback', { body }))
      const message = ledger.find(id)
      if (message) ledger.add({ ...message, rating })
      onChange()
    },
    async rate(score: number): Promise<void> {
      await ask(() => client.request('POST /api/v1/widget/rating', { body: { score } }))
      onRated()
      onChange()
    },
    /** Said every few seconds at most. */
    typing(): void {
      if (Date.now() - toldTypingAt < TYPING_EVERY_MS) return
      toldTypingAt = Date.now()
      void client.request('POST /api/v1/widget/typing').catch(() => {
        toldTypingAt = 0
      })
    },
  }
}
