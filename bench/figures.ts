import { appendFileSync } from 'node:fs'

/**
 * Notes a figure for the table that `npm run bench` ends with; a benchmark that runs alone only prints it.
 *
 * @param value as it is to be shown, unit included.
 */
export function noteFigure(what: string, value: string): void {
  const file = process.env.BENCH_FIGURES
  if (file) appendFileSync(file, `${JSON.stringify({ what, value })}\n`)
}
