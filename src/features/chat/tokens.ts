const LATIN_PIECE = /\s*[^\s\p{Script=Han}]+|\s*\p{Script=Han}{1,4}|\s+/gu

/** A finished reply in the pieces in which a stream sends it; joined they are the reply. One piece where nobody streams. */
export function piecesOf(reply: string, { isStreamed }: { isStreamed: boolean }): string[] {
  if (!isStreamed) return reply === '' ? [] : [reply]
  return reply.match(LATIN_PIECE) ?? []
}
