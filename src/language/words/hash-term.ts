const OFFSET = 0x811c9dc5
const PRIME = 0x01000193

/**
 * 32-bit FNV-1a with a final mix, so that the low bits are as even as the high ones. Stored in the features of chunks and
 * in the vectors of the local embedder: changing it means a new revision of both.
 */
export function hashTerm(term: string): number {
  let hash = OFFSET
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), PRIME)
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}
