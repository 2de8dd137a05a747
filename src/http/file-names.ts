import type { Readable } from 'node:stream'

const MARK = Buffer.from('filename="')
const MAX_NAME_BYTES = 1_024
const MAX_NAMES = 500
const REPLACEMENT = '\ufffd'

/**
 * File names in GB18030, as programs on Chinese Windows send them. The form parser decodes names as UTF-8 and forgets
 * the bytes: two names of the same length would become the same row of replacement characters, and so one document.
 *
 * Returns a function that takes a decoded name and gives it back as it was meant.
 */
export function watchFileNames(body: Readable): (decoded: string) => string {
  const names: Buffer[] = []
  let unread: Buffer = Buffer.alloc(0)
  body.on('data', (chunk: Buffer) => {
    if (names.length < MAX_NAMES) unread = Buffer.from(takeNames(Buffer.concat([unread, chunk]), names))
  })
  return (decoded) => {
    if (!decoded.includes(REPLACEMENT)) return decoded
    const bytes = names.find((name) => baseName(name.toString('utf8')) === decoded)
    return (bytes && decodeGb18030(bytes)) ?? decoded
  }
}

/** Adds the names in `bytes` and returns what may be the beginning of another one. */
function takeNames(bytes: Buffer, names: Buffer[]): Buffer {
  for (let at = bytes.indexOf(MARK); at >= 0; at = bytes.indexOf(MARK, at + 1)) {
    const start = at + MARK.length
    const end = bytes.indexOf('"', start)
    if (end < 0 && bytes.length - start <= MAX_NAME_BYTES) return bytes.subarray(at)
    if (end > start && end - start <= MAX_NAME_BYTES) names.push(Buffer.from(bytes.subarray(start, end)))
  }
  return bytes.subarray(Math.max(0, bytes.length - MARK.length + 1))
}

/** The parser has cut a path to its last part, by the bytes of ASCII, which GB18030 uses within characters too. */
function baseName(name: string): string {
  return name.split(/[/\\]/).at(-1) ?? ''
}

function decodeGb18030(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('gb18030', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
