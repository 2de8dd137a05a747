import { hashKey, isKeyName, makeKey, newKeyId, type StoredKey } from '../../src/features/keys/key-file.ts'
import { SCOPES, type Scope } from '../../src/kernel/scopes.ts'

/** What a command makes of the keys; `key` is the only time that a new one is shown. */
export interface Change {
  keys: StoredKey[]
  key?: string
}

export function addKey(
  keys: readonly StoredKey[],
  given: { name: string; scopes: readonly Scope[]; expiresAt: Date | null },
  now: Date,
): Change {
  if (!isKeyName(given.name)) {
    throw new Error('NAME must be 1 to 64 letters, digits, dots, dashes or underscores, and not API_KEY')
  }
  if (keys.some(({ name }) => name === given.name)) {
    throw new Error(`${given.name} has a key already: npm run key -- rotate ${given.name}`)
  }
  return withNew(keys, { ...given, scopes: [...given.scopes] }, now)
}

/** A second key of the same name and scopes; the first one goes on for a while. */
export function rotateKey(
  keys: readonly StoredKey[],
  given: { name: string; overlapMs: number; expiresAt: Date | null },
  now: Date,
): Change {
  const latest = keys.findLast(({ name }) => name === given.name)
  if (!latest) throw new Error(`Nobody has the name ${given.name}: npm run key -- list`)
  const end = new Date(now.getTime() + given.overlapMs)
  const expiresAt = given.expiresAt ?? latest.expiresAt
  if (expiresAt && expiresAt <= end) throw new Error('The new key would end with the old one: say --expires DATE')
  const ending = keys.map((key) =>
    key.name === given.name && (key.expiresAt === null || key.expiresAt > end) ? { ...key, expiresAt: end } : key,
  )
  return withNew(ending, { name: given.name, scopes: latest.scopes, expiresAt }, now)
}

export function revokeKeys(keys: readonly StoredKey[], given: string): Change {
  const kept = keys.filter(({ name }) => name !== given)
  if (kept.length === keys.length) throw new Error(`Nobody has the name ${given}: npm run key -- list`)
  return { keys: kept }
}

function withNew(
  keys: readonly StoredKey[],
  { name, scopes, expiresAt }: Pick<StoredKey, 'name' | 'scopes' | 'expiresAt'>,
  createdAt: Date,
): Change {
  const key = makeKey()
  const stored = { keyId: newKeyId(), name, hash: hashKey(key), scopes, createdAt, expiresAt }
  return { keys: [...keys, stored], key }
}

/** `read,agent` */
export function parseScopes(text: string | undefined): Scope[] {
  const names = [...new Set((text ?? '').split(',').map((name) => name.trim()))]
  const unknown = names.filter((name) => !SCOPES.some((scope) => scope === name))
  if (unknown.length > 0) throw new Error(`--scopes must be some of ${SCOPES.join(',')}, not "${unknown.join(',')}"`)
  return names as Scope[]
}

/** `2027-01-01` is its first moment in UTC; or a whole time such as `2027-01-01T12:00:00Z`. */
export function parseExpiry(text: string | undefined, now: Date): Date | null {
  if (text === undefined) return null
  const isDate = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d))?$/.test(text)
  const time = new Date(text)
  if (!isDate || Number.isNaN(time.getTime()))
    throw new Error(`--expires must be a date such as 2027-01-01, not "${text}"`)
  if (time <= now) throw new Error(`--expires must lie in the future, and ${text} does not`)
  return time
}

const UNIT_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `24h`, `30m`, `7d` or `0` in milliseconds. */
export function parseOverlap(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,4})([mhd])$/.exec(text) ?? []
  if (text !== '0' && count === '') throw new Error(`--overlap must be such as 30m, 24h or 7d, not "${text}"`)
  return Number(count) * (UNIT_MS[unit] ?? 0)
}
