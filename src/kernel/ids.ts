import { randomFillSync } from 'node:crypto'

/** A new id that says what it names: `msg_…`, `sess_…`; as hard to guess as 74 random bits. */
export function newId(prefix: string): string {
  const random = randomDigits()
  return `${prefix}_${timeDigits()}7${random.slice(0, 3)}${variantOf(random)}${random.slice(4)}`
}

/**
 * A UUID of version 7 (RFC 9562, section 5.7): milliseconds first, then 74 random bits. Rows that are made one after
 * the other stand beside each other in an index, so that storing them touches few of its pages.
 */
export function newUuid(): string {
  const time = timeDigits()
  const random = randomDigits()
  const group = `${variantOf(random)}${random.slice(4, 7)}`
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-${group}-${random.slice(7)}`
}

/** Hexadecimal digits of an id that are random, or nearly: the fourth has the variant in two of its bits. */
const RANDOM_DIGITS = 19
/** A turn makes eight ids; asking for the randomness of many at once costs a fifth. */
const DRAWN_DIGITS = RANDOM_DIGITS * 256
const drawnBytes = Buffer.allocUnsafeSlow(DRAWN_DIGITS / 2)
let drawn = ''
let used = DRAWN_DIGITS

function randomDigits(): string {
  if (used === DRAWN_DIGITS) {
    drawn = randomFillSync(drawnBytes).toString('hex')
    used = 0
  }
  used += RANDOM_DIGITS
  return drawn.slice(used - RANDOM_DIGITS, used)
}

/** 8, 9, a or b: the variant of RFC 9562 (section 4.1) and two random bits. */
function variantOf(random: string): string {
  return '89ab'.charAt(Number.parseInt(random.charAt(3), 16) & 3)
}

let lastTime = { milliseconds: -1, digits: '' }

/** Several ids are made within a millisecond. */
function timeDigits(): string {
  const milliseconds = Date.now()
  if (milliseconds !== lastTime.milliseconds) {
    lastTime = { milliseconds, digits: milliseconds.toString(16).padStart(12, '0') }
  }
  return lastTime.digits
}
