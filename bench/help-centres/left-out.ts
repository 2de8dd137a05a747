import { copyFileSync, cpSync, existsSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const WEIGHTS = 'src/features/knowledge/retrieval/ranking/weights.json'

/** Weights of the ranking that were learned without a set; undefined: the set was never learned from. */
export function weightsWithout(set: string): string | undefined {
  const file = join(ROOT, `bench/lab/left-out/without-${set}.json`)
  return existsSync(file) ? file : undefined
}

/**
 * Makes this program with other weights in an empty folder and returns the file to start: the sources are copied,
 * everything else is linked, so the product needs no setting that only a benchmark would use.
 */
export function programWith(weights: string, folder: string): string {
  for (const name of readdirSync(ROOT)) {
    if (name !== 'src' && !name.startsWith('.')) symlinkSync(join(ROOT, name), join(folder, name))
  }
  cpSync(join(ROOT, 'src'), join(folder, 'src'), { recursive: true })
  copyFileSync(weights, join(folder, WEIGHTS))
  return join(folder, 'src/main.ts')
}
