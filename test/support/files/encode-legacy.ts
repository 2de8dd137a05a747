/** Character to bytes, learned by decoding every possible pair: Node decodes the legacy encodings but writes none. */
const tables = new Map<string, Map<string, number[]>>()

/** Bytes of `text` in a legacy encoding that `TextDecoder` knows (gb18030, big5, shift_jis, windows-1251, …). */
export function encodeLegacy(text: string, encoding: string): Uint8Array {
  const table = tables.get(encoding) ?? tableOf(encoding)
  tables.set(encoding, table)
  const bytes: number[] = []
  for (const char of text) {
    const known = table.get(char)
    if (!known) throw new Error(`${encoding} has no ${char}`)
    bytes.push(...known)
  }
  return Uint8Array.from(bytes)
}

export function encodeUtf16(text: string, order: 'le' | 'be', mark: boolean): Uint8Array {
  const bytes = Buffer.from(mark ? `\uFEFF${text}` : text, 'utf16le')
  return Uint8Array.from(order === 'be' ? bytes.swap16() : bytes)
}

function tableOf(encoding: string): Map<string, number[]> {
  const decoder = new TextDecoder(encoding)
  const table = new Map<string, number[]>()
  const learn = (bytes: number[]) => {
    const char = decoder.decode(Uint8Array.from(bytes))
    if ([...char].length === 1 && char !== '\uFFFD' && !table.has(char)) table.set(char, bytes)
  }
  for (let byte = 0; byte < 256; byte++) learn([byte])
  for (let lead = 0x81; lead < 0xff; lead++) for (let trail = 0x40; trail < 0xff; trail++) learn([lead, trail])
  return table
}
