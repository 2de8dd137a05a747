import { createHash, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import { type KeyHolder, type LoggedIn, scopesOfRole } from '../../kernel/people.ts'
import { ALL_SCOPES } from '../../kernel/scopes.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/postgres/index.ts'
import {
  deleteLogIn,
  deleteLogInByToken,
  findLogIn,
  insertLogIn,
  type LiveLogIn,
  listLogIns,
  touchLogIn,
} from './log-in-queries.ts'
import { isPassword } from './passwords.ts'
import { countMembers, findMember, findPassword } from './queries.ts'
import { createThrottle } from './throttle.ts'
import type { LogIn } from './types.ts'

export interface LogInsOptions {
  db: Database
  clock: Clock
  /** Who has the key of this SHA-256 digest now; null: nobody, or no longer. */
  keyHolder(digest: Buffer): KeyHolder | null
  /** Hours without a request after which a log-in ends. */
  idleHours: number
  log: Log<'warn'>
}

/** Where somebody logs in from. */
export interface Place {
  address: string
  userAgent: string
}

export type Credential = { name: string; password: string } | { key: string } | { code: string }

const HOUR_MS = 3_600_000
/** However busy it is kept. */
const LONGEST_MS = 7 * 24 * HOUR_MS
/** Time to make the first person. */
const CODE_LOG_IN_MS = HOUR_MS
const USE_STORED_EVERY_MS = 60_000
const MAX_USER_AGENT = 300
const NO_SCOPES: LoggedIn['scopes'] = new Set()
/** Name of who came by the code of the first start. */
const BY_CODE = 'first start'

/** Log-ins of people, of keys, and by the code that the first start writes to the log. */
export function createLogIns(options: LogInsOptions) {
  const { db, clock, keyHolder, log } = options
  const throttle = createThrottle({ db, now: clock.now })
  const code = createSetupCode(db)

  async function identify(credential: Credential, { address }: Place): Promise<Identified> {
    const subject = 'name' in credential ? nameOf(credential.name) : 'key' in credential ? '(key)' : '(code)'
    await throttle.assertFree(subject, address)
    const found = await check(credential)
    if (!found) {
      await throttle.failed(subject, address)
      log.warn({ address, person: 'name' in credential ? subject : undefined }, 'A log-in failed')
      throw new AppError('unauthorized', 'log_in', WRONG[Object.keys(credential)[0] as keyof typeof WRONG])
    }
    await throttle.succeeded(subject, address)
    return found
  }

  async function check(credential: Credential): Promise<Identified | null> {
    if ('name' in credential) {
      const name = nameOf(credential.name)
      const [member, stored] = [await findMember(db.executor, name), await findPassword(db.executor, name)]
      const isRight = await isPassword(credential.password, stored)
      return isRight && member?.isActive ? { person: name, key: null, longestMs: LONGEST_MS } : null
    }
    if ('key' in credential) {
      const digest = hash('sha256', Buffer.from(credential.key), 'buffer')
      return keyHolder(digest) ? { person: null, key: digest, longestMs: LONGEST_MS } : null
    }
    return (await code.take(credential.code)) ? { person: null, key: null, longestMs: CODE_LOG_IN_MS } : null
  }

  return {
    /** Null: people are there, and nobody needs one. */
    setupCode: () => code.current(),

    /** Throws unauthorized, or too_many after several failures. The token goes into a cookie and is kept nowhere. */
    async enter(credential: Credential, place: Place): Promise<{ token: string; maxAgeSeconds: number }> {
      const { person, key, longestMs } = await identify(credential, place)
      const token = randomBytes(32).toString('base64url')
      const now = new Date(clock.now())
      await insertLogIn(db.executor, {
        logInId: newId('login'),
        digest: digestOf(token),
        person,
        sealedKey: key && seal(key, token),
        address: place.address,
        userAgent: place.userAgent.slice(0, MAX_USER_AGENT),
        expiresAt: new Date(now.getTime() + longestMs),
        now,
      })
      return { token, maxAgeSeconds: longestMs / 1_000 }
    },

    async find(token: string): Promise<LoggedIn | null> {
      const now = clock.now()
      const limits = { now: new Date(now), usedAfter: new Date(now - options.idleHours * HOUR_MS) }
      const logIn = await findLogIn(db.executor, digestOf(token), limits)
      const holder = logIn && holderOf(logIn, token, keyHolder)
      if (!logIn || !holder) return null
      if (now - logIn.lastUsedAt.getTime() >= USE_STORED_EVERY_MS)
        await touchLogIn(db.executor, logIn.logInId, limits.now)
      return holder
    },

    leave: (token: string): Promise<void> => deleteLogInByToken(db.executor, digestOf(token)),

    /** @param person whose; null: everybody's */
    list: (person: string | null): Promise<LogIn[]> => listLogIns(db.executor, person, new Date(clock.now())),

    /** @param person whose it must be; null: anybody's. Throws not_found. */
    async revoke(logInId: string, person: string | null): Promise<void> {
      if (await deleteLogIn(db.executor, logInId, person)) return
      throw new AppError('not_found', 'log_in', `No log-in has the id ${logInId}`)
    },
  }
}

interface Identified {
  person: string | null
  key: Buffer | null
  longestMs: number
}

/** The same for a wrong name and a wrong password. */
const WRONG = {
  name: 'name or password: wrong, or the person may no longer log in',
  key: 'key: is not one of this service',
  code: 'code: is wrong, was used, or people are there already',
} as const

function nameOf(given: string): string {
  return given.trim().toLowerCase()
}

export function digestOf(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

/** The digest of a key under the token, which only its owner has: exclusive or with a digest of that, and so its own inverse. */
function seal(digest: Buffer, token: string): Buffer {
  const cover = createHash('sha256').update(`key under ${token}`).digest()
  return Buffer.from(digest.map((byte, index) => byte ^ (cover[index] ?? 0)))
}

function holderOf(
  { person, sealedKey, displayName, role, mustChangePassword }: LiveLogIn,
  token: string,
  keyHolder: LogInsOptions['keyHolder'],
): LoggedIn | null {
  if (person !== null && role !== null) {
    const scopes = mustChangePassword ? NO_SCOPES : scopesOfRole(role)
    return { name: person, person: { name: person, displayName: displayName ?? person, role }, scopes }
  }
  if (sealedKey === null) return { name: BY_CODE, person: null, scopes: ALL_SCOPES }
  const holder = keyHolder(seal(sealedKey, token))
  return holder && { name: holder.name, person: null, scopes: holder.scopes }
}

/** For whoever reads the log of the first start and has no key at hand. One for each process, while there are no people. */
function createSetupCode(db: Database) {
  let code: string | null = randomBytes(9).toString('base64url')
  const current = async (): Promise<string | null> => {
    if (code !== null && (await countMembers(db.executor)) > 0) code = null
    return code
  }
  return {
    current,
    async take(given: string): Promise<boolean> {
      const expected = await current()
      if (expected === null || !timingSafeEqual(digestOf(given.trim()), digestOf(expected))) return false
      code = null
      return true
    },
  }
}
