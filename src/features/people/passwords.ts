import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import pLimit from 'p-limit'
import { AppError } from '../../kernel/errors.ts'

const MIN_CHARACTERS = 10
/** Of OWASP's recommended settings for scrypt the one with N = 2^15, r = 8, p = 3: 32 MiB each. */
const COST = { N: 2 ** 15, r: 8, p: 3 }
const MAX_MEMORY = 64 * 1024 * 1024
const HASH_BYTES = 32
const SALT_BYTES = 16
/** Each takes 32 MiB and a thread of the few there are. */
const AT_ONCE = 2

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)
const limit = pLimit(AT_ONCE)

/** As `scrypt$N$r$p$salt$hash`, so that the cost can grow and older ones still be checked. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await deriveFrom(password, salt, COST)
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** Takes as long where there is nobody with the name, so that an answer's time does not tell who works here. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [, cost, blockSize, lanes, salt = '', hash = ''] = (stored ?? '').split('$')
  const parameters = stored === null ? COST : { N: Number(cost), r: Number(blockSize), p: Number(lanes) }
  const expected = stored === null ? Buffer.alloc(HASH_BYTES) : Buffer.from(hash, 'base64url')
  const derived = await deriveFrom(password, Buffer.from(salt, 'base64url'), parameters)
  return timingSafeEqual(derived, expected) && stored !== null
}

/** Throws invalid for a password that is guessed first. */
export function assertGoodPassword(password: string, name: string, field: string): void {
  const characters = [...password.normalize('NFKC')]
  const problem =
    characters.length < MIN_CHARACTERS
      ? `must have at least ${MIN_CHARACTERS} characters`
      : new Set(characters).size < 4 || password.toLowerCase().includes(name)
        ? 'is guessed too easily'
        : null
  if (problem) throw new AppError('invalid', 'password', `${field}: ${problem}`)
}

/** For somebody else: it must be changed at the first log-in. */
export function newPassword(): string {
  return randomBytes(12).toString('base64url')
}

/** Keyboards differ in how they write the same letters. */
function deriveFrom(password: string, salt: Buffer, parameters: typeof COST): Promise<Buffer> {
  return limit(() => derive(password.normalize('NFKC'), salt, HASH_BYTES, { ...parameters, maxmem: MAX_MEMORY }))
}
