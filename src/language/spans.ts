/** A stretch of a text: offsets in UTF-16 units, `end` exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

export function overlaps(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end
}

/** In the order of the text; of two that overlap the earlier stands, of two that begin together the longer. */
export function withoutOverlaps<Found extends Span>(found: readonly Found[]): Found[] {
  const kept: Found[] = []
  for (const each of [...found].sort((a, b) => a.start - b.start || b.end - a.end))
    if (each.start >= (kept.at(-1)?.end ?? 0)) kept.push(each)
  return kept
}
