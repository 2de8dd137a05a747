// Recall and false positives of masking over generated texts.
// Run: npm run bench:masking -- [count] [seed]
import { maskText } from '../src/privacy/index.ts'
import {
  harmlessSamples,
  isHidden,
  personalSamples,
  type Sample,
  seededRandom,
} from '../test/support/masking-corpus.ts'
import { noteFigure } from './figures.ts'

interface Row {
  readonly kind: string
  readonly texts: number
  readonly masked: number
  readonly example: string | undefined
}

/** A personal value is hidden when no six of its digits in a row, and not the whole of it, can be read any more. */
function isMasked(sample: Sample): boolean {
  if (sample.secret === undefined) return maskText(sample.text) !== sample.text
  return isHidden(sample.secret, maskText(sample.text))
}

function tally(samples: readonly Sample[], wanted: boolean): Row[] {
  const kinds = [...new Set(samples.map((sample) => sample.kind))]
  return kinds.map((kind) => {
    const own = samples.filter((sample) => sample.kind === kind)
    const masked = own.filter(isMasked)
    const wrong = own.find((sample) => masked.includes(sample) !== wanted)
    return { kind, texts: own.length, masked: masked.length, example: wrong?.text }
  })
}

function print(title: string, rows: readonly Row[]): void {
  console.log(`\n${title}: texts, masked, share`)
  for (const { kind, texts, masked, example } of rows) {
    const share = `${((100 * masked) / texts).toFixed(2)} %`
    const wrong = example === undefined ? '' : `  e.g. ${JSON.stringify(example)}`
    console.log(
      `  ${kind.padEnd(22)}${String(texts).padStart(7)}${String(masked).padStart(8)}${share.padStart(11)}${wrong}`,
    )
  }
  const [texts, masked] = [
    rows.reduce((sum, row) => sum + row.texts, 0),
    rows.reduce((sum, row) => sum + row.masked, 0),
  ]
  noteFigure(title, `${((100 * masked) / texts).toFixed(2)} % of ${texts.toLocaleString('en')}`)
  console.log(
    `  ${'all'.padEnd(22)}${String(texts).padStart(7)}${String(masked).padStart(8)}${((100 * masked) / texts).toFixed(2).padStart(9)} %`,
  )
}

const count = Number(process.argv[2] ?? 10_000)
const random = seededRandom(Number(process.argv[3] ?? 1))
const started = performance.now()
print('personal values masked (recall)', tally(personalSamples(count, random), true))
print('harmless values masked (false positives)', tally(harmlessSamples(count, random), false))
console.log(`\n${Math.round(performance.now() - started)} ms for ${2 * count} texts`)
