import { createHash } from 'node:crypto'

/** The same source always names the same document: a new upload of a file is its next version. */
export function documentIdOf(source: string): string {
  return `doc_${createHash('sha256').update(source).digest('hex').slice(0, 20)}`
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
