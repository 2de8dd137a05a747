// How well customers of real help centres are answered, over HTTP and without a model: each set is uploaded to a server
// of its own, every conversation is asked, and the set's own program judges the replies. Ends with 1 below the floors.
// Run: npm run bench:help-centres -- --data FOLDER [--set NAME …] [--foreign FILE …] [--out FOLDER]
//        [--before FOLDER] [--replies 20 --seed 14]
// FOLDER, or a folder in it, holds score.mjs and the sets, each with docs/ and questions.jsonl. --foreign: questions about
// other subjects (JSONL of question or text), asked in the set's own language; without it the queries.jsonl near the
// sets. --out keeps all that was said. --before: another checkout, measured beside this one. --replies prints what some
// customers were told, chosen by the seed. A set that the ranking was learned on is measured with the weights that were
// learned without it too, and the floors hold for those figures.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { noteFigure } from './figures.ts'
import { asAim, figuresOf, reaches } from './help-centres/floors.ts'
import { programWith, weightsWithout } from './help-centres/left-out.ts'
import { chooseQuestions, showReplies } from './help-centres/replies.ts'
import { type Scored, score, type Variant } from './help-centres/score.ts'
import { findHelpCentres, type HelpCentre } from './help-centres/sets.ts'

interface Run {
  name: string
  scored: Scored
}

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    set: { type: 'string', multiple: true },
    foreign: { type: 'string', multiple: true, default: [] },
    out: { type: 'string' },
    before: { type: 'string' },
    replies: { type: 'string', default: '0' },
    seed: { type: 'string', default: '14' },
  },
})
if (!values.data) throw new Error('Usage: npm run bench:help-centres -- --data FOLDER')

const { scorer, sets } = findHelpCentres(values.data, values.foreign)
const asked = sets.filter(({ name }) => !values.set || values.set.includes(name))
if (asked.length === 0) throw new Error(`No such set: there are ${sets.map(({ name }) => name).join(', ')}`)
const programs = mkdtempSync(join(tmpdir(), 'frontdesk-programs-'))
const out = values.out ?? mkdtempSync(join(tmpdir(), 'frontdesk-help-centres-'))
mkdirSync(out, { recursive: true })
try {
  for (const set of asked) await measure(set)
} finally {
  rmSync(programs, { recursive: true, force: true })
  if (!values.out) rmSync(out, { recursive: true, force: true })
}

async function measure(set: HelpCentre): Promise<void> {
  const runs: Run[] = []
  for (const variant of variantsOf(set)) {
    const file = join(out, `${set.name}-${variant.name}.json`)
    runs.push({ name: variant.name, scored: await score(scorer, set, variant, file) })
  }
  report(set, runs)
  const results = runs[0]?.scored.results ?? []
  for (const id of chooseQuestions(results, Number(values.replies), Number(values.seed))) {
    console.log(showReplies(id, runs))
  }
}

/** The last one is what the floors hold for. */
function variantsOf({ name }: HelpCentre): Variant[] {
  const variants: Variant[] = [{ name: 'now', main: undefined }]
  if (values.before) variants.unshift({ name: 'before', main: join(resolve(values.before), 'src/main.ts') })
  const weights = weightsWithout(name)
  if (weights) {
    const folder = mkdtempSync(join(programs, `${name}-`))
    variants.push({ name: 'left-out', main: programWith(weights, folder) })
  }
  return variants
}

function report(set: HelpCentre, runs: readonly Run[]): void {
  const { summary } = runs[0]!.scored
  console.log(`\n## ${set.name}: ${summary.documents} documents, ${summary.answerable.n} questions that they answer\n`)
  console.log(`| | ${runs.map(({ name }) => name).join(' | ')} | aim |`)
  console.log(`|---${'|---:'.repeat(runs.length)}|---|`)
  const columns = runs.map(({ scored }) => figuresOf(set, scored))
  for (const [row, figure] of columns.at(-1)!.entries()) {
    const cells = columns.map((column) => String(column[row]?.value ?? '–'))
    const missed = reaches(figure) ? '' : ' ✗'
    console.log(`| ${figure.name} | ${cells.join(' | ')} | ${asAim(figure.floor)}${missed} |`)
    if (figure.floor) noteFigure(`${set.name}: ${figure.name}`, String(figure.value ?? '–'))
    if (missed) process.exitCode = 1
  }
  printKinds(runs)
}

function printKinds(runs: readonly Run[]): void {
  const { summary } = runs.at(-1)!.scored
  const kinds = Object.entries(summary.kinds).map(([kind, { n }]) => {
    const rates = runs.map(({ scored }) => scored.summary.kinds[kind]?.right_rate ?? '–')
    return `${kind} (${n}) ${rates.join(' → ')}`
  })
  console.log(`\nThe right thing done, by kind: ${kinds.join(', ')}\n`)
}
