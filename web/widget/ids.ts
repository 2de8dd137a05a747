/**
 * The id that the service gives to a message with a key, so that it is known in what was said before its answer has come.
 * Undefined where a browser makes no digests: on pages of http.
 */
export async function idOfKey(token: string, key: string): Promise<string | undefined> {
  try {
    const claims = atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'))
    const { sid } = JSON.parse(claims) as { sid: string }
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${sid} ${key}`))
    return `msg_${toHex(new Uint8Array(digest).subarray(0, 16))}`
  } catch {
    return undefined
  }
}

/** Pages of http have no `randomUUID`. */
export function newKey(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(16)))
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
