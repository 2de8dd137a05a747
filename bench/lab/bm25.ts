/** BM25 in memory with the formula of pg_textsearch, so that an idea can be tried in a second. */
export class Bm25 {
  readonly docs: Map<string, number>[] = []
  readonly lengths: number[] = []
  readonly postings = new Map<string, Map<number, number>>()
  k1: number
  b: number
  total = 0
  constructor(k1 = 1.2, b = 0.75) {
    this.k1 = k1
    this.b = b
  }
  set(i: number, terms: readonly string[]): void {
    const old = this.docs[i]
    if (old) {
      for (const t of old.keys()) this.postings.get(t)!.delete(i)
      this.total -= this.lengths[i]!
    }
    const tf = new Map<string, number>()
    for (const t of terms) tf.set(t, (tf.get(t) ?? 0) + 1)
    this.docs[i] = tf
    this.lengths[i] = terms.length
    this.total += terms.length
    for (const [t, n] of tf) {
      let p = this.postings.get(t)
      if (!p) {
        p = new Map()
        this.postings.set(t, p)
      }
      p.set(i, n)
    }
  }
  idf(t: string): number {
    const df = this.postings.get(t)?.size ?? 0
    return Math.log(1 + (this.docs.length - df + 0.5) / (df + 0.5))
  }
  search(terms: Iterable<string> | Map<string, number>, limit = 1e9): { i: number; score: number }[] {
    const scores = new Map<number, number>()
    const avg = this.total / this.docs.length
    const weights = terms instanceof Map ? terms : new Map([...terms].map((t) => [t, 1] as const))
    for (const [t, w] of weights) {
      const p = this.postings.get(t)
      if (!p?.size) continue
      const idf = this.idf(t)
      for (const [i, tf] of p) {
        const norm = this.k1 * (1 - this.b + (this.b * this.lengths[i]!) / avg)
        scores.set(i, (scores.get(i) ?? 0) + (w * idf * tf * (this.k1 + 1)) / (tf + norm))
      }
    }
    return [...scores]
      .map(([i, score]) => ({ i, score }))
      .sort((a, b) => b.score - a.score || a.i - b.i)
      .slice(0, limit)
  }
}
