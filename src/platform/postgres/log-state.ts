/** Places in the shared memory. */
const FILE = 0
const WANTED = 1
const DONE = 2
const HURRY = 3
const PLACES = 4

/**
 * How far the log is written and how far it is on the disk, seen by two threads: the database's, which counts up what it
 * wants there, and the one that brings it there. Counters run over after two thousand million and go on.
 */
export class LogState {
  readonly buffer: SharedArrayBuffer
  readonly #places: Int32Array

  constructor(buffer?: SharedArrayBuffer) {
    this.buffer = buffer ?? new SharedArrayBuffer(PLACES * Int32Array.BYTES_PER_ELEMENT)
    this.#places = new Int32Array(this.buffer)
  }

  file(): number {
    return Atomics.load(this.#places, FILE)
  }
  wanted(): number {
    return Atomics.load(this.#places, WANTED)
  }
  done(): number {
    return Atomics.load(this.#places, DONE)
  }
  isBehind(): boolean {
    return this.wanted() !== this.done()
  }

  /** Counts up what is wanted on the disk: everything that was written to this file so far. */
  want(file: number): void {
    Atomics.store(this.#places, FILE, file)
    Atomics.add(this.#places, WANTED, 1)
    Atomics.notify(this.#places, WANTED)
  }

  /** Everything up to `number` is on the disk. */
  reached(number: number): void {
    for (let done = this.done(); isAhead(number, done); done = this.done()) {
      if (Atomics.compareExchange(this.#places, DONE, done, number) === done) break
    }
    Atomics.notify(this.#places, DONE)
  }

  /** Ends the pause of the thread that brings it there. */
  hurry(): void {
    Atomics.store(this.#places, HURRY, 1)
    Atomics.notify(this.#places, HURRY)
  }

  /** Resolves when more is done, if `number` is not. */
  async nextDone(number: number): Promise<void> {
    const done = this.done()
    if (!isAhead(number, done)) return
    const waiting = Atomics.waitAsync(this.#places, DONE, done)
    if (waiting.async) await waiting.value
  }

  /** Blocks until something is wanted that is not done, and then for a pause in which more may come, unless in a hurry. */
  waitForWork(pauseMs: number): void {
    while (!this.isBehind()) Atomics.wait(this.#places, WANTED, this.done())
    if (pauseMs > 0) Atomics.wait(this.#places, HURRY, 0, pauseMs)
    Atomics.store(this.#places, HURRY, 0)
  }
}

/** Whether `number` was counted after `other`, also across the end of the range. */
export function isAhead(number: number, other: number): boolean {
  return ((number - other) | 0) > 0
}
