import type { Executor } from '../../../platform/postgres/index.ts'
import { freeOriginals, saveOriginal, sizeOfOriginals } from './originals-queries.ts'

/** A file to be kept with the version that is read from it, and how much all files may take together. */
export interface Original {
  fileName: string
  bytes: Uint8Array
  maxTotalBytes: number
}

/**
 * Keeps the file of a version. Where the room is used up, files of versions that nobody is served go first; a file for
 * which there is no room even then is not kept.
 */
export async function keepOriginal(
  trx: Executor,
  version: { docId: string; versionNo: number },
  original: Original | null,
): Promise<void> {
  if (!original) return
  const { bytes, maxTotalBytes } = original
  if (bytes.length > maxTotalBytes) return
  const missing = (await sizeOfOriginals(trx)) + bytes.length - maxTotalBytes
  if (missing > 0 && (await freeOriginals(trx, missing)) < missing) return
  await saveOriginal(trx, version, original)
}

const TYPES: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
}
/** Pages and letters too: a browser must not run what somebody uploaded. */
const TEXT = new Set(['md', 'mdx', 'markdown', 'txt', 'text', 'csv', 'tsv', 'json', 'jsonl', 'html', 'htm', 'eml'])

/** The type under which a file is handed out, by its name alone: one that nothing runs. */
export function mediaTypeOf(fileName: string): string {
  const extension = /\.([a-z0-9]+)$/i.exec(fileName)?.[1]?.toLowerCase() ?? ''
  return TYPES[extension] ?? (TEXT.has(extension) ? 'text/plain' : 'application/octet-stream')
}

/** The header by which a browser saves the file under its name and never shows it (RFC 6266). */
export function attachment(fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\%/]/g, '_')
  const encoded = encodeURIComponent(fileName.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
