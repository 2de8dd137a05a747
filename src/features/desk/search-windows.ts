/**
 * Windows of message numbers: each message is in one of each size. The search asks the latest small ones first and goes
 * on to larger ones, so it takes the same time for a frequent word however many messages there are.
 */
const SIZES = [12, 15, 18] as const
/** Windows of a size have numbers below those of the size before. */
const PER_SIZE = 0x2000_0000

/** The numbers, below zero, of the windows that a message is in. */
export function windowsOf(seq: number): number[] {
  return SIZES.map((bits, size) => windowNumber(size, Math.floor(seq / 2 ** bits)))
}

/** Windows to search one after the other up to the latest message, and where each begins; null: everything before. */
export function searchOrder(lastSeq: number): { window: number | null; start: number }[] {
  const windows = SIZES.flatMap((bits, size) => {
    const latest = Math.floor(lastSeq / 2 ** bits)
    return [latest, latest - 1]
      .filter((index) => index >= 0)
      .map((index) => ({ window: windowNumber(size, index) as number | null, start: index * 2 ** bits }))
  })
  return [...windows, { window: null, start: 0 }]
}

function windowNumber(size: number, index: number): number {
  return -1 - size * PER_SIZE - (index % PER_SIZE)
}
