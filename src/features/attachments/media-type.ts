/** First bytes of each kind of file that may be sent; `?` is any byte. */
const BEGINNINGS: readonly [mediaType: string, beginning: string][] = [
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/gif', 'GIF87a'],
  ['image/gif', 'GIF89a'],
  ['image/webp', 'RIFF????WEBP'],
  ['application/pdf', '%PDF-'],
]

/** The kinds of files that may be sent. No SVG and no HTML: both may hold scripts. */
export const MEDIA_TYPES = [...new Set(BEGINNINGS.map(([mediaType]) => mediaType)), 'text/plain'] as const

/** The kind of a file by its content; null: none that may be sent. */
export function mediaTypeOf(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1')
  const known = BEGINNINGS.find(([, beginning]) => begins(start, beginning))
  if (known) return known[0]
  return isPlainText(bytes) ? 'text/plain' : null
}

function begins(start: string, beginning: string): boolean {
  return [...beginning].every((character, index) => character === '?' || start[index] === character)
}

/** Text without control characters that is no markup: a browser that guesses must not take it for a page. */
function isPlainText(bytes: Uint8Array): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what no text holds
    return text.trim() !== '' && !/[\u0000-\u0008\u000e-\u001a]/.test(text) && !/^\s*<[!?a-z]/i.test(text)
  } catch {
    return false
  }
}
