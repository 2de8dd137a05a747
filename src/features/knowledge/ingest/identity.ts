import { createHash } from 'node:crypto'

/** The same source always names the same document: a new upload of a file is its next version. */
export function documentIdOf(source: string): string {
  return `doc_${createHash('sha256').update(source).digest('hex').slice(0, 20)}`
}

/** Sources of approved solutions begin with it: no upload may pass for one. */
export const SOLUTION_PREFIX = 'solution:'

/** Characters that cannot be seen, or turn the direction of writing: no name that is shown or logged has them. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** A name as it is shown: the same name is the same row of characters. */
export function shownName(name: string): string {
  return name.toWellFormed().normalize('NFC').replace(UNSEEN, '').trim()
}

/** SHA-256 of a file's bytes, in hexadecimal. */
export function contentHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

export function versionName(versionNo: number): string {
  return `v${versionNo}`
}

/** Number of a version name, null when it is none. */
export function versionNumber(name: string): number | null {
  const match = /^v([1-9]\d{0,8})$/.exec(name)
  return match ? Number(match[1]) : null
}
