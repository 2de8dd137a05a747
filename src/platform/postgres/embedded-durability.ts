import { fdatasyncSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { holdAnswers } from './held-answers.ts'
import { isAhead, LogState } from './log-state.ts'

/**
 * When the log of the embedded database reaches the disk. `commit`: before a commit is acknowledged. `second`: within a
 * second. `off`: when the system likes to, half a minute later for example.
 */
export type EmbeddedSync = 'off' | 'second' | 'commit'

/**
 * An acknowledged commit may be missing from the disk for this long, less what a pass takes. A quarter of it lies
 * between two passes; when the disk is so slow that the rest does not suffice, answers wait.
 */
const ALLOWED_MS = 1_000
const PAUSE_MS = 200

export type Durability = ReturnType<typeof createDurability>

/** @param onFailure the log cannot be written to the disk. */
export function createDurability(sync: 'second' | 'commit', onFailure: (error: unknown) => void) {
  const state = new LogState()
  const pauseMs = sync === 'commit' ? 0 : PAUSE_MS
  const syncer = new Worker(new URL('./embedded-syncer.ts', import.meta.url), {
    workerData: { buffer: state.buffer, pauseMs },
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
  })
  syncer.on('message', onFailure)
  syncer.on('error', onFailure)
  syncer.unref()
  const ages = trackAges(state)
  const answers = holdAnswers(state, () => (sync === 'commit' ? state.isBehind() : ages.oldestMs() > ALLOWED_MS))

  return {
    /** Postgres wants what it wrote to the log, the open file `fd`, on the disk. Happens soon, on another thread. */
    flush(fd: number): void {
      if (state.file() !== fd) settle()
      state.want(fd)
      ages.note()
    },
    settle,
    /** Sends an answer, one after the other, when what it acknowledges is as safe as promised. */
    answer: answers.send,
    async stop(): Promise<void> {
      settle()
      await answers.sent()
      await syncer.terminate()
    },
  }

  /** All that Postgres wanted is on the disk when this returns. Comes before whatever the log must not lag behind. */
  function settle(): void {
    if (!state.isBehind()) return
    const wanted = state.wanted()
    fdatasyncSync(state.file())
    state.reached(wanted)
  }
}

/** How long the oldest of what is wanted on the disk has been missing there. */
function trackAges(state: LogState) {
  /** Not of each commit: those within one of these steps share the first one's time. */
  const STEP_MS = 20
  const noted: { number: number; at: number }[] = []
  return {
    note(): void {
      const now = performance.now()
      if (now - (noted.at(-1)?.at ?? -STEP_MS) >= STEP_MS) noted.push({ number: state.wanted(), at: now })
    },
    oldestMs(): number {
      if (!state.isBehind()) {
        noted.length = 0
        return 0
      }
      const done = state.done()
      while (noted[0] && !isAhead(noted[0].number, done)) noted.shift()
      return noted[0] ? performance.now() - noted[0].at : 0
    },
  }
}
