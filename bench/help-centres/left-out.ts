import { copyFileSync, cpSync, existsSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
/** Files of the product that are learned, each with the beginning of the name of those learned without a set. */
const LEARNED = {
  'src/features/knowledge/retrieval/ranking/weights.json': 'without',
  'src/features/chat/reply/piece-weights.json': 'pieces-without',
}

/** Weights that were learned without a set, by the file that they replace; undefined: the set was never learned from. */
export function weightsWithout(set: string): Record<string, string> | undefined {
  const found = Object.entries(LEARNED)
    .map(([file, name]) => [file, join(ROOT, `bench/lab/left-out/${name}-${set}.json`)] as const)
    .filter(([, learned]) => existsSync(learned))
  return found.length > 0 ? Object.fromEntries(found) : undefined
}

/**
 * Makes this program with other weights in an empty folder and returns the file to start: the sources are copied,
 * everything else is linked, so the product needs no setting that only a benchmark would use.
 */
export function programWith(weights: Record<string, string>, folder: string): string {
  for (const name of readdirSync(ROOT)) {
    if (name !== 'src' && !name.startsWith('.')) symlinkSync(join(ROOT, name), join(folder, name))
  }
  cpSync(join(ROOT, 'src'), join(folder, 'src'), { recursive: true })
  for (const [file, learned] of Object.entries(weights)) copyFileSync(learned, join(folder, file))
  return join(folder, 'src/main.ts')
}
