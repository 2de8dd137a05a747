// How well a message is understood without any model.
//
//   node bench/understanding.ts                    accuracy on bench/data/intents.jsonl
//   node bench/understanding.ts --errors           … and every sentence that was misread
//   node bench/understanding.ts --messages FILE    which kind of work is found in a file of customer requests
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { trainIntentClassifier } from '../src/features/chat/understanding/classifier.ts'
import { loadIntentExamples } from '../src/features/chat/understanding/examples.ts'
import { DEFAULT_EXAMPLES_DIRECTORY } from '../src/features/chat/understanding/load.ts'
import { createUnderstand, type Understand } from '../src/features/chat/understanding/understanding.ts'
import { fold } from '../src/language/fold.ts'
import { scenesNamedIn } from '../src/language/scenes.ts'
import { INTENTS, type Intent, type Understanding } from '../src/language/understanding.ts'
import { noteFigure } from './figures.ts'

const LABELLED = new URL('./data/intents.jsonl', import.meta.url)
const REQUIRED_ACCURACY = 0.9

type Labelled = { id: string; split: string; lang: string; style: string; intent: Intent; text: string }
type Judged = Labelled & { understood: Understanding }

type CustomerRequest = { query_id: string; reason_for_call: string; gold_actions: { name: string }[] }

const WORK_OF_ACTION: Readonly<Record<string, string>> = {
  return_delivered_order_items: 'refund',
  cancel_pending_order: 'cancel',
  exchange_delivered_order_items: 'exchange',
  modify_pending_order_items: 'exchange',
  modify_pending_order_address: 'address',
  modify_user_address: 'address',
}

const { values: options } = parseArgs({
  options: { messages: { type: 'string' }, errors: { type: 'boolean', default: false } },
})
const understand = await prepare()
if (options.messages === undefined) await reportIntents()
else await reportMessages(options.messages)

async function prepare(): Promise<Understand> {
  const examples = await loadIntentExamples(DEFAULT_EXAMPLES_DIRECTORY)
  const before = performance.now()
  const classifier = trainIntentClassifier(examples)
  const ms = Math.round(performance.now() - before)
  console.log(`${examples.sentences.length} example sentences learnt in ${ms} ms`)
  return createUnderstand(classifier)
}

async function readJsonLines<T>(file: URL | string): Promise<T[]> {
  const text = await readFile(file, 'utf8')
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T)
}

async function reportIntents(): Promise<void> {
  const labelled = await readJsonLines<Labelled>(LABELLED)
  const before = performance.now()
  const judged = labelled.map((row) => ({ ...row, understood: understand(row.text) }))
  const ms = (performance.now() - before) / labelled.length
  console.log(`${labelled.length} labelled sentences, ${ms.toFixed(2)} ms each\n`)
  for (const key of ['split', 'lang', 'style', 'intent'] as const) printGroups(judged, key)
  printConfusion(judged)
  printConfidence(judged)
  if (options.errors) printErrors(judged)
  const accuracy = accuracyOf(judged)
  noteFigure(`intents, ${labelled.length} labelled sentences`, accuracy.toFixed(3))
  console.log(`\naccuracy ${accuracy.toFixed(3)} (required ${REQUIRED_ACCURACY.toFixed(2)})`)
  if (accuracy < REQUIRED_ACCURACY) process.exitCode = 1
}

function isRight({ intent, understood }: Judged): boolean {
  return understood.intent === intent
}

function accuracyOf(judged: readonly Judged[]): number {
  return judged.filter(isRight).length / judged.length
}

function printGroups(judged: readonly Judged[], key: 'split' | 'lang' | 'style' | 'intent'): void {
  console.log(`by ${key}`)
  for (const [name, rows] of Map.groupBy(judged, (row) => row[key]))
    console.log(`  ${name.padEnd(10)} ${accuracyOf(rows).toFixed(3)}  of ${rows.length}`)
  console.log()
}

function printConfusion(judged: readonly Judged[]): void {
  console.log('confusion (row: labelled, column: understood)')
  console.log(' '.repeat(11) + INTENTS.map((intent) => intent.slice(0, 5).padStart(6)).join(''))
  for (const row of INTENTS) {
    const counts = INTENTS.map(
      (column) => judged.filter(({ intent, understood }) => intent === row && understood.intent === column).length,
    )
    console.log(row.padEnd(11) + counts.map((count) => (count === 0 ? '.' : String(count)).padStart(6)).join(''))
  }
  console.log()
}

/** Whether the confidence means something: the share that is right among those at least that sure. */
function printConfidence(judged: readonly Judged[]): void {
  console.log('at least this sure: right, share of the messages')
  for (const threshold of [0.4, 0.5, 0.6, 0.7, 0.8, 0.9]) {
    const sure = judged.filter(({ understood }) => understood.confidence >= threshold)
    console.log(
      `  ${threshold.toFixed(1)}  ${accuracyOf(sure).toFixed(3)}  ${(sure.length / judged.length).toFixed(2)}`,
    )
  }
}

function printErrors(judged: readonly Judged[]): void {
  console.log()
  for (const row of judged.filter((candidate) => !isRight(candidate)))
    console.log(
      `${row.id} ${row.split} ${row.intent} → ${row.understood.intent} ${row.understood.confidence.toFixed(2)}  ${row.text}`,
    )
}

/** The requests are told in the second person ("You want to …"); a customer would say "I". */
function asMessage(reason: string): string {
  return reason
    .replace(/^[\s.]+/, '')
    .replace(/\bYou are\b/g, 'I am')
    .replace(/\byou are\b/g, 'I am')
    .replace(/\b[Yy]ourself\b/g, 'myself')
    .replace(/\b[Yy]our\b/g, 'my')
    .replace(/\b[Yy]ou\b/g, 'I')
}

async function reportMessages(file: string): Promise<void> {
  const requests = await readJsonLines<CustomerRequest>(file)
  const totals = { wanted: 0, dispatched: 0, named: 0 }
  console.log('\nid    intent      tasks  done in the end   sub-tasks go to                    also named')
  for (const request of requests) {
    const message = asMessage(request.reason_for_call)
    const understood = understand(message)
    const wanted = new Set<string>(request.gold_actions.flatMap(({ name }) => WORK_OF_ACTION[name] ?? []))
    const dispatched = new Set<string>(
      understood.subTasks.map(({ orders }) => orders.scene).filter((scene) => scene !== 'none'),
    )
    const named = new Set<string>(scenesNamedIn(fold(message)))
    totals.wanted += wanted.size
    totals.dispatched += wanted.intersection(dispatched).size
    totals.named += wanted.intersection(dispatched.union(named)).size
    const mark = (scenes: Set<string>) =>
      [...scenes].map((scene) => (wanted.has(scene) ? `${scene}*` : scene)).join(' ')
    const columns = [
      request.query_id.padEnd(5),
      understood.intent.padEnd(11),
      String(understood.subTasks.length).padEnd(6),
      ([...wanted].join('+') || '–').padEnd(17),
      mark(dispatched).padEnd(34),
      mark(named.difference(dispatched)),
    ]
    console.log(columns.join(' '))
  }
  console.log(
    `\nof ${totals.wanted} kinds of work that were done in the end, a sub-task leads to ${totals.dispatched};`,
  )
  console.log(
    `${totals.named} are named in the message (the rest of those hang on the outcome of another: "if not, cancel it")`,
  )
}
