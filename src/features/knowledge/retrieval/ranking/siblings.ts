/** A chunk as judged by itself, and its document. */
export interface Judged {
  readonly docId: string
  /** Passages that the document has. */
  readonly passages: number
  /** Log odds, up to a factor, that the chunk answers. */
  readonly logOdds: number
}

/** More would favour long documents. */
const SUPPORTERS = 3
/** Support of a document's only chunk, as a share of its own evidence: having no siblings must cost nothing, and earn nothing. */
const ALONE = 0.6
/** Share of the support that passages get which are not the best of their document: with all of it one document would fill the hits. */
const OF_OTHERS = 0.5

/**
 * How far other passages of a document, found by the same question, support one of its chunks, 0 to 1: a guide on what is
 * asked has several passages among the candidates, a page that only mentions it has one.
 *
 * @param sharpness of the evidence: its logarithm is so many times the log odds by which a passage falls short of the best.
 */
export function createSupport(found: readonly Judged[], sharpness: number): (one: Judged) => number {
  const best = found.reduce((max, { logOdds }) => Math.max(max, logOdds), Number.NEGATIVE_INFINITY)
  const evidence = ({ logOdds }: Judged): number => Math.min(1, Math.exp(sharpness * (logOdds - best)))
  const byDocument = new Map<string, Judged[]>()
  for (const one of found) {
    const others = byDocument.get(one.docId)
    if (others) others.push(one)
    else byDocument.set(one.docId, [one])
  }
  for (const all of byDocument.values()) all.sort((a, b) => b.logOdds - a.logOdds)
  return (one) => {
    const supporters = Math.min(SUPPORTERS, one.passages - 1)
    if (supporters < 1) return ALONE * evidence(one)
    const others = (byDocument.get(one.docId) ?? []).filter((other) => other !== one).slice(0, supporters)
    const support = others.reduce((sum, other) => sum + evidence(other), 0) / supporters
    return (others[0]?.logOdds ?? Number.NEGATIVE_INFINITY) > one.logOdds ? OF_OTHERS * support : support
  }
}
