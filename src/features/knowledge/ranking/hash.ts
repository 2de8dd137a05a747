const OFFSET = 0x811c9dc5
const PRIME = 0x01000193

/** 32-bit FNV-1a with a final mix. Stored in the chunks' features: changing it means a new FEATURES_REVISION. */
export function hashTerm(term: string): number {
  let hash = OFFSET
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), PRIME)
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}
