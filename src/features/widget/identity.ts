import { errors, type JWTPayload, jwtVerify } from 'jose'
import { AppError } from '../../kernel/errors.ts'
import { withoutInvisible } from '../../kernel/invisible.ts'
import type { Identity } from './types.ts'

/** Clocks of servers differ. */
const TOLERANCE_SECONDS = 60
/** A word about who somebody is is for now; what works for longer is a password. */
const LONGEST_SECONDS = 86_400
const MAX_TEXT = 200

export interface ReadIdentity extends Identity {
  /** The word may be used once; null: until it expires. */
  id: string | null
  expiresAt: Date
}

/**
 * Who a customer is, by the word of the shop's server: a JWT (RFC 7519) signed by HS256 with a secret of the widget, with
 * `sub` and `exp`; `name`, `email`, and `jti` for a word that counts once. Throws invalid with the reason.
 *
 * @param secrets the newest first
 */
export async function readIdentity(token: string, secrets: readonly string[], nowMs: number): Promise<ReadIdentity> {
  const { sub, exp = 0, jti, name, email } = await verified(token, secrets, nowMs)
  if (!isName(sub)) throw refused('`sub` must name the customer')
  if (exp > nowMs / 1000 + LONGEST_SECONDS + TOLERANCE_SECONDS) throw refused('`exp` must be within a day')
  return {
    userId: sub.trim(),
    name: textOf('name', name),
    email: textOf('email', email),
    id: jti ?? null,
    expiresAt: new Date((exp + TOLERANCE_SECONDS) * 1000),
  }
}

function isName(sub: string | undefined): sub is string {
  if (sub === undefined || sub.trim() === '' || sub.length > MAX_TEXT) return false
  return withoutInvisible(sub) === sub && !/\p{Cc}/u.test(sub)
}

async function verified(token: string, secrets: readonly string[], nowMs: number): Promise<JWTPayload> {
  let reason = 'it is not signed with a secret of this widget'
  for (const secret of secrets) {
    try {
      const { payload } = await jwtVerify(token, new TextEncoder().encode(secret), {
        algorithms: ['HS256'],
        requiredClaims: ['sub', 'exp'],
        clockTolerance: TOLERANCE_SECONDS,
        currentDate: new Date(nowMs),
      })
      return payload
    } catch (error) {
      reason = reasonOf(error) ?? reason
    }
  }
  throw refused(reason)
}

/** Null: nothing that was not said before. */
function reasonOf(error: unknown): string | null {
  if (error instanceof errors.JWTExpired) return 'it has expired'
  if (error instanceof errors.JWTClaimValidationFailed) return `\`${error.claim}\` is missing or wrong`
  if (error instanceof errors.JOSEAlgNotAllowed) return 'it must be signed by HS256'
  if (error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid) return 'it is no JWT'
  return null
}

function textOf(claim: string, value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null
  if (typeof value !== 'string' || value.length > MAX_TEXT) {
    throw refused(`\`${claim}\` must be a text of ${MAX_TEXT} characters at most`)
  }
  return value.replaceAll('\0', '')
}

function refused(reason: string): AppError {
  return new AppError('invalid', 'identity', `identity: ${reason}`)
}
