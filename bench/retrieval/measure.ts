import { noteFigure } from '../figures.ts'
import type { FaqQuery } from './data.ts'
import type { Engine } from './libraries.ts'

/** Shares are in 0..1, times in milliseconds. */
export interface Figures {
  engine: string
  precisionAt1: number
  hitAt5: number
  reciprocalRank: number
  p50Ms: number
  p95Ms: number
}

const WARM_UP = 20

/**
 * P@1, hit@5 and MRR@10, one query after the other. A document that fills several places of a result keeps them all,
 * which costs the engine that returns passages and never the ones that return documents.
 */
export async function measure(engine: Engine, queries: readonly FaqQuery[]): Promise<Figures> {
  for (const { text } of queries.slice(0, WARM_UP)) await engine.search(text)
  const times: number[] = []
  const ranks: number[] = []
  for (const { text, relevant } of queries) {
    const start = performance.now()
    const found = await engine.search(text)
    times.push(performance.now() - start)
    ranks.push(found.findIndex((docId) => docId !== null && relevant.has(docId)) + 1)
  }
  const share = (value: (rank: number) => number): number => mean(ranks.map((rank) => (rank === 0 ? 0 : value(rank))))
  return {
    engine: engine.name,
    precisionAt1: share((rank) => (rank === 1 ? 1 : 0)),
    hitAt5: share((rank) => (rank <= 5 ? 1 : 0)),
    reciprocalRank: share((rank) => 1 / rank),
    p50Ms: percentile(times, 0.5),
    p95Ms: percentile(times, 0.95),
  }
}

/** @param share 0..1 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** The chance that a score drawn from `positives` exceeds one drawn from `negatives`; a tie counts half. */
export function areaUnderCurve(positives: readonly number[], negatives: readonly number[]): number {
  const wins = positives.map((positive) =>
    mean(negatives.map((negative) => (positive > negative ? 1 : positive === negative ? 0.5 : 0))),
  )
  return mean(wins)
}

export function printFigures(title: string, rows: readonly Figures[]): void {
  console.log(`\n${title}`)
  console.log(`${'engine'.padEnd(24)}   P@1  hit@5  MRR@10   p50 ms   p95 ms`)
  for (const row of rows) {
    const shares = [row.precisionAt1, row.hitAt5, row.reciprocalRank].map((value) => value.toFixed(3))
    const times = [row.p50Ms, row.p95Ms].map((value) => value.toFixed(2).padStart(8))
    const set = title.split(':')[0] ?? title
    noteFigure(`${set}: ${row.engine}, P@1 / hit@5 / MRR@10`, shares.join(' / '))
    console.log(`${row.engine.padEnd(24)} ${shares[0]}  ${shares[1]}   ${shares[2]} ${times.join(' ')}`)
  }
}
