/** Carries text from a callback to an iteration, in order and without loss. */
export interface TextQueue extends AsyncIterable<string> {
  push(text: string): void
  end(): void
}

export function createTextQueue(): TextQueue {
  const waiting: string[] = []
  let ended = false
  let wake = (): void => {}
  return {
    push(text) {
      waiting.push(text)
      wake()
    },
    end() {
      ended = true
      wake()
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const next = waiting.shift()
        if (next !== undefined) yield next
        else if (ended) return
        else
          await new Promise<void>((resolve) => {
            wake = resolve
          })
      }
    },
  }
}
