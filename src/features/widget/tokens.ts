import { errors, jwtVerify, SignJWT } from 'jose'
import { AppError } from '../../kernel/errors.ts'
import type { Holder } from './types.ts'

/** A token works for so long; whoever comes back before gets a new one. */
const TOKEN_DAYS = 7
/** A session is left behind this long after it was begun, however often its token was made anew. */
const SESSION_DAYS = 30
const DAY_SECONDS = 86_400
const AUDIENCE = 'frontdesk widget'
const ALGORITHM = 'HS256'

export interface IssuedToken {
  token: string
  expiresAt: Date
}

export type Tokens = ReturnType<typeof createTokens>

/** Tokens that each open one session and nothing else: JWTs (RFC 7519) by HMAC, which every replica can check. */
export function createTokens({ secret, now }: { secret: string; now(): number }) {
  const key = new TextEncoder().encode(secret)
  const seconds = (): number => Math.floor(now() / 1000)
  const last = ({ begunAt }: Holder): number => begunAt + SESSION_DAYS * DAY_SECONDS

  return {
    /** Null: the session is too old to go on. */
    async issue(holder: Holder): Promise<IssuedToken | null> {
      const expires = Math.min(seconds() + TOKEN_DAYS * DAY_SECONDS, last(holder))
      if (expires <= seconds()) return null
      const { widgetId, sessionId, userId, name, email, begunAt } = holder
      const token = await new SignJWT({ wid: widgetId, sid: sessionId, uid: userId, name, email, beg: begunAt })
        .setProtectedHeader({ alg: ALGORITHM })
        .setAudience(AUDIENCE)
        .setExpirationTime(expires)
        .sign(key)
      return { token, expiresAt: new Date(expires * 1000) }
    },

    /** Throws unauthorized unless the token is ours and its time is not over. */
    async read(token: string): Promise<Holder> {
      const currentDate = new Date(now())
      const claims = await jwtVerify(token, key, { algorithms: [ALGORITHM], audience: AUDIENCE, currentDate }).then(
        ({ payload }) => payload,
        (error: unknown) => {
          throw refusal(error instanceof errors.JWTExpired)
        },
      )
      const { wid, sid, uid, name, email, beg } = claims as unknown as Record<string, string> & { beg: number }
      return {
        widgetId: wid ?? '',
        sessionId: sid ?? '',
        userId: uid ?? '',
        name: name ?? null,
        email: email ?? null,
        begunAt: beg,
      }
    },
  }
}

function refusal(isExpired: boolean): AppError {
  return isExpired
    ? new AppError('unauthorized', 'token_expired', 'Authorization: the token has expired; begin a session anew')
    : new AppError('unauthorized', 'token', 'Authorization: a token of a session is needed, as Bearer')
}

export const missingToken = (): AppError => refusal(false)
