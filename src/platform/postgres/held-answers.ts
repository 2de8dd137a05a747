import { isAhead, type LogState } from './log-state.ts'

/** Sends answers in their order, each when what was wanted on the disk before it is there, if it has to wait. */
export function holdAnswers(state: LogState, mustWait: () => boolean) {
  const held: { after: number; send: () => void }[] = []
  let sending: Promise<void> | null = null

  async function sendHeld(): Promise<void> {
    for (let first = held[0]; first; first = held[0]) {
      if (isAhead(first.after, state.done())) {
        await state.nextDone(first.after)
        continue
      }
      held.shift()
      first.send()
    }
  }
  /** Not ended by `sendHeld` itself: it may end before it has given its promise. */
  function start(): void {
    sending = sendHeld().then(() => {
      sending = null
      if (held.length > 0) start()
    })
  }
  return {
    /** Resolves when none is held back. */
    sent: async () => sending,
    send(send: () => void): void {
      if (held.length === 0 && !mustWait()) {
        send()
        return
      }
      held.push({ after: state.wanted(), send })
      state.hurry()
      if (!sending) start()
    },
  }
}
