// `npm run train:vectors -- [--base FILE] [--steps N] [--seed N] [--holdout] [--out FILE]`: makes the vectors with which
// Frontdesk compares meanings out of the box, from the wordings under training/families and, where given, from vectors
// that were learned before. The same seed on the same files makes the same file.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { toRows, writeVectors } from '../src/ai/embedder/vectors/format.ts'
import { createAnalyser } from '../src/language/words/analyser.ts'
import { randomFrom } from '../test/contract/support/random.ts'
import { type Family, readFamilies } from './train-vectors/families.ts'
import { findRates } from './train-vectors/holdout.ts'
import { PER_FAMILY, representatives } from './train-vectors/representatives.ts'
import { createSampler } from './train-vectors/sampling.ts'
import { train } from './train-vectors/train.ts'
import { createVocabulary } from './train-vectors/vocabulary.ts'

const { values: options } = parseArgs({
  options: {
    base: { type: 'string' },
    steps: { type: 'string' },
    seed: { type: 'string', default: '1' },
    holdout: { type: 'boolean', default: false },
    out: { type: 'string', default: new URL('../src/ai/embedder/vectors/vectors.bin', import.meta.url).pathname },
  },
})

const random = randomFrom(Number(options.seed))
const families = readFamilies(new URL('../training/families', import.meta.url).pathname)
const learned = options.holdout ? families.filter(({ isTest }) => !isTest) : families
const { words } = createAnalyser()
const vocabulary = createVocabulary(learned.flatMap(textsOf), words, { base: options.base, random })
console.info(`${learned.length} families, ${vocabulary.keys.length} words`)
train(vocabulary.rows, createSampler(learned, vocabulary.encode), {
  steps: Number(options.steps ?? (options.base ? 2_600 : 1_000)),
  rate: options.base ? 6e-3 : 5e-3,
  random,
  progress: (step, loss) => console.info(`step ${step}: loss ${loss.toFixed(3)}`),
})
if (options.holdout) console.table(findRates(families, vocabulary))
const file = {
  keys: vocabulary.keys,
  words: toRows(vocabulary.rows),
  families: representatives(learned, vocabulary.rows, vocabulary.encode),
  perFamily: PER_FAMILY,
}
const bytes = writeVectors(file)
writeFileSync(options.out, bytes)
console.info(`${options.out}: ${(bytes.length / 1e6).toFixed(1)} MB`)

function textsOf({ zh, en, titles, answers }: Family): string[] {
  return [...zh, ...en, ...Object.values(titles), ...Object.values(answers)]
}
