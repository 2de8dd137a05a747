import { createHmac, timingSafeEqual } from 'node:crypto'

/** How long a link opens its file. */
const LINK_MS = 3_600_000

/** Signed links to files: who has one may open the file for an hour, without a key, as a browser does. */
export function createLinks(secret: string, now: () => number) {
  const sign = (id: string, expiresAt: number): string =>
    createHmac('sha256', secret).update(`attachment ${id} ${expiresAt}`).digest('base64url')
  return {
    make(id: string): { token: string; expiresAt: Date } {
      const expiresAt = now() + LINK_MS
      return { token: `${expiresAt}.${sign(id, expiresAt)}`, expiresAt: new Date(expiresAt) }
    },
    isValid(id: string, token: string): boolean {
      const [, expires = '', given = ''] = /^(\d{13})\.([\w-]{43})$/.exec(token) ?? []
      if (given === '') return false
      // Texts are compared, not the bytes they stand for: four last letters decode to the same bytes.
      const isRight = timingSafeEqual(Buffer.from(given), Buffer.from(sign(id, Number(expires))))
      return isRight && Number(expires) > now()
    },
  }
}
