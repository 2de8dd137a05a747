import type { OpenTurn } from './open-turn.ts'

/** Longest time that a message waits to be stored together with its reply, in milliseconds. */
const STORE_AFTER_MS = 50

/**
 * Waits for what a turn comes to, and stores its message meanwhile when that takes its time. Otherwise the reply is
 * there so soon that both are stored at once, which takes the database half as long. A message that could not be
 * answered is stored as well. Rejects with the reason of what failed first.
 *
 * @param options.atOnce a model will be asked: store the message now
 */
export async function storingMeanwhile<Result>(
  opening: Pick<OpenTurn, 'store'>,
  work: Promise<Result>,
  { atOnce, afterMs = STORE_AFTER_MS }: { atOnce: boolean; afterMs?: number },
): Promise<Result> {
  let storing: Promise<void> | null = null
  const store = (): Promise<void> => {
    storing ??= opening.store()
    return storing
  }
  // Whether it failed is told below.
  const begin = (): void => void store().catch(() => {})
  if (atOnce) begin()
  const timer = setTimeout(begin, afterMs)
  try {
    const result = await work
    await storing
    return result
  } catch (error) {
    await store().catch(() => {})
    throw error
  } finally {
    clearTimeout(timer)
  }
}
