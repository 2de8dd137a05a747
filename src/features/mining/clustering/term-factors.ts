/**
 * How well each term tells groups apart, from `LEAST` (spread evenly: small talk, politeness) to 1 (in one group only): one
 * minus the entropy of its groups, relative to the highest that it could have. Learned from the texts themselves, so no
 * list of empty words is needed for any trade.
 */
export function discernment(texts: readonly Uint32Array[], groups: Uint32Array, dimensions: number): Float32Array {
  const postings: number[][] = Array.from({ length: dimensions }, () => [])
  texts.forEach((terms, text) => {
    for (const term of terms) postings[term]?.push(groups[text] as number)
  })
  const groupCount = new Set(groups).size
  return Float32Array.from(postings, (found) => {
    const highest = Math.log(Math.min(found.length, groupCount))
    return highest > 0 ? Math.max(LEAST, 1 - entropyOf(found) / highest) : 1
  })
}

const LEAST = 0.05

function entropyOf(groups: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const group of groups) counts.set(group, (counts.get(group) ?? 0) + 1)
  let entropy = 0
  for (const count of counts.values()) entropy -= (count / groups.length) * Math.log(count / groups.length)
  return entropy
}
