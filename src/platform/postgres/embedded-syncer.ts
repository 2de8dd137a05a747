import { fdatasyncSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { isAhead, LogState } from './log-state.ts'

/**
 * Brings the embedded database's log to the disk on a thread of its own: on the database's, a long statement would keep
 * commits before it from the disk, and every commit would wait for the disk in turn.
 */
const { buffer, pauseMs } = workerData as { buffer: SharedArrayBuffer; pauseMs: number }
const state = new LogState(buffer)

for (;;) {
  state.waitForWork(pauseMs)
  const wanted = state.wanted()
  try {
    fdatasyncSync(state.file())
    state.reached(wanted)
  } catch (error) {
    // A file that the database's thread has closed meanwhile, it brought to the disk itself before.
    if (!isAhead(wanted, state.done())) continue
    const { code, message } = error as NodeJS.ErrnoException
    parentPort?.postMessage({ code, message })
    break
  }
}
