const LATIN_PIECE = /\s*[^\s\p{Script=Han}]+|\s*\p{Script=Han}{1,4}|\s+/gu

/** Cuts a finished reply into the pieces in which a stream sends it; joined they are the reply. */
export function splitTokens(reply: string): string[] {
  return reply.match(LATIN_PIECE) ?? []
}
