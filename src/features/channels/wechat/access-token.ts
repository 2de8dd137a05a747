import type { Clock } from '../../../platform/clock.ts'
/** A token that the platform handed out and for how many seconds it stays valid. */
export type IssuedToken = { token: string; expiresInSeconds: number }

/** The platform itself renews five minutes ahead of expiry, so a token is asked for again from then on. */
const RENEWAL_MARGIN_SECONDS = 300

/** Keeps one token. A failed request is not remembered: the next caller tries again. */
export function createAccessToken(issue: () => Promise<IssuedToken>, clock: Clock) {
  let current: { token: string; renewAtMs: number } | null = null
  let pending: Promise<string> | null = null

  async function renew(): Promise<string> {
    const { token, expiresInSeconds } = await issue()
    const margin = Math.min(RENEWAL_MARGIN_SECONDS, expiresInSeconds / 2)
    current = { token, renewAtMs: clock.now() + (expiresInSeconds - margin) * 1000 }
    return token
  }

  return {
    /** Shared by concurrent callers. */
    async get(): Promise<string> {
      if (current && clock.now() < current.renewAtMs) return current.token
      pending ??= renew().finally(() => {
        pending = null
      })
      return pending
    },
    /** Drops a token that the platform refused. */
    forget(token: string): void {
      if (current?.token === token) current = null
    },
  }
}
