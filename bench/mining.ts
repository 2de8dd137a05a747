// How well and how fast frequent problems are found in tickets.
//
//   npm run bench:mining -- --data FILE              JSONL of {ticket_id, text, gold_cluster}: agreement with the true groups,
//                                                    beside TF-IDF with k-means at their true number; of three quarters, drawn
//                                                    eight times; by words alone and by meaning, as everything below
//   npm run bench:mining -- --data FILE --settings   … and how much each setting of the clustering matters
//   npm run bench:mining -- --families FOLDER        the same and how much is reported, of tickets made of 40 families of wordings in
//                                                    each language; the built-in vectors have learned from these families, so
//   … --held-out --vectors FILE                      of those alone that `npm run train:vectors -- --holdout --out FILE` left out
//   npm run bench:mining -- --synthetic 100000       time and memory at a tenth, a third and all of so many tickets
//   npm run bench:mining -- --service 100000         the same through import and run of the service, on the embedded database
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readVectors } from '../src/ai/embedder/vectors/format.ts'
import { createRandom } from '../src/features/evaluation/index.ts'
import { type ClusteringOptions, DEFAULT_CLUSTERING } from '../src/features/mining/clustering/cluster-texts.ts'
import { createMiner, groupTickets } from '../src/features/mining/miner.ts'
import { createTicketStore } from '../src/features/mining/reading/ticket-store.ts'
import { createAnalyser } from '../src/language/words/analyser.ts'
import { noteFigure } from './figures.ts'
import { type Agreement, agreement } from './mining/agreement.ts'
import { isHeldOut, type Labelled, ticketsOfFamilies } from './mining/families.ts'
import { kMeans, tfIdf } from './mining/k-means.ts'
import { measureService } from './mining/service.ts'
import { syntheticTickets } from './mining/synthetic.ts'

const RESTARTS = 10
const FAMILIES = 40
const LIMITS = { minFrequency: 3, maxClusters: 2_000 }
const REQUIRED_LEAD = 0.15
const PARTS = 8
const PART = 0.75
/** Both ways of grouping: by words alone, with the settings that were best for it (decision 90), and as it is done. */
const WAYS: readonly (readonly [string, Partial<ClusteringOptions>])[] = [
  ['words alone', { meaningShare: 0, minSimilarity: 0.15, minResolution: 4.5, mergeSimilarity: 0.35 }],
  ['words and meaning', {}],
]
const SETTINGS: Partial<Record<keyof ClusteringOptions, readonly number[]>> = {
  k: [5, 7, 8, 10],
  minSimilarity: [0.05, 0.15],
  communitySize: [50, 100, 400],
  minResolution: [5, 7, 8, 12],
  meaningShare: [0.2, 0.3, 0.5, 0.6],
  mergeSimilarity: [0.35, 0.4, 0.5],
  learningRounds: [0, 2],
  reassignRounds: [0, 4],
}

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    settings: { type: 'boolean', default: false },
    families: { type: 'string' },
    'held-out': { type: 'boolean', default: false },
    vectors: { type: 'string' },
    synthetic: { type: 'string' },
    service: { type: 'string' },
    /** One size in this process, for --synthetic: each has a process of its own, or the peak of one would hide the next. */
    one: { type: 'string' },
    way: { type: 'string', default: '1' },
  },
})
const analyser = createAnalyser()
const vectors =
  values.vectors === undefined ? undefined : readVectors(new Uint8Array(readFileSync(values.vectors).buffer))
if (values.data !== undefined) compareWithTruth(values.data)
if (values.families !== undefined) {
  for (const language of ['zh', 'en'] as const) {
    console.log(language)
    const isDrawn = values['held-out'] ? isHeldOut : () => true
    compareWays(
      `families, ${language}`,
      ticketsOfFamilies(values.families, language, { count: FAMILIES, seed: 1, isDrawn }),
    )
  }
}
if (values.synthetic !== undefined) measureGrowth(Number(values.synthetic))
if (values.one !== undefined) console.log(JSON.stringify(measureOne(Number(values.one), WAYS[Number(values.way)]?.[1])))
if (values.service !== undefined) await measureService(Number(values.service))

function compareWithTruth(path: string): void {
  const rows: Labelled[] = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const truth = rows.map((row) => row.gold_cluster)
  const kinds = new Set(truth).size
  console.log(`${rows.length} tickets in ${kinds} true groups\n`)
  compareWays('tickets', rows)
  for (const [name, options] of WAYS) reportParts(name, rows, options)
  const ours = agreement(groupsOf(rows), truth)
  const compared = runKMeans(rows, truth, kinds)
  const lead = ours.accuracy - compared.accuracy
  console.log(`\nahead of k-means by ${points(lead)} points of accuracy, ${points(ours.nmi - compared.nmi)} of NMI`)
  if (values.settings) reportSettings(rows, truth)
  if (lead < REQUIRED_LEAD) process.exitCode = 1
}

/** For each ticket the number of its group. */
function groupsOf(rows: readonly Labelled[], options: Partial<ClusteringOptions> = {}): number[] {
  const store = createTicketStore(analyser.words, vectors)
  for (const { ticket_id: ticketId, text } of rows) {
    store.add({ ticketId, subject: '', content: text, solution: '', category: '' })
  }
  const { texts, numbers } = groupTickets(store, { minTickets: LIMITS.minFrequency, ...options })
  const groups: number[] = []
  texts.forEach(({ tickets }, text) => {
    for (const ticket of tickets) groups[ticket] = numbers[text] as number
  })
  return groups
}

/** How far groups agree with the true ones, how much of the tickets a run tells of, and how much of each problem is one true group. */
function compareWays(set: string, rows: readonly Labelled[]): void {
  const truth = new Map(rows.map((row) => [row.ticket_id, row.gold_cluster]))
  for (const [name, options] of WAYS) {
    report(`${set}: ${name}`, agreement(groupsOf(rows, options), [...truth.values()]))
    const miner = createMiner({ wordsOf: analyser.words, vectors, clustering: options })
    for (const { ticket_id: ticketId, text } of rows) {
      miner.add({ ticketId, subject: '', content: text, solution: '', category: '' })
    }
    const { clusters, unclustered } = miner.finish(LIMITS)
    const reported = rows.length - unclustered.count
    const pure = clusters.reduce((sum, { ticketIds }) => {
      const counts = Map.groupBy(ticketIds, (id) => truth.get(id))
      return sum + Math.max(...Array.from(counts.values(), (ids) => ids.length))
    }, 0)
    const share = (count: number, of: number): string => `${((100 * count) / Math.max(1, of)).toFixed(0)} %`
    const figures = `${share(reported, rows.length)} of the tickets in ${clusters.length} problems, ${share(pure, reported)} of these with their like`
    noteFigure(`mining reports, ${set}: ${name}`, figures)
    console.log(`${''.padEnd(60)} ${figures}`)
  }
}

/** One number on one set is mostly luck: the mean and the deviation over parts of it. */
function reportParts(name: string, rows: readonly Labelled[], options: Partial<ClusteringOptions>): void {
  const found = Array.from({ length: PARTS }, (_, seed) => {
    const random = createRandom(seed + 1)
    const places = rows.map((row) => ({ row, place: random() })).sort((a, b) => a.place - b.place)
    const part = places.slice(0, Math.round(rows.length * PART)).map(({ row }) => row)
    return agreement(
      groupsOf(part, options),
      part.map((row) => row.gold_cluster),
    ).accuracy
  })
  const mean = found.reduce((sum, each) => sum + each, 0) / PARTS
  const deviation = Math.sqrt(found.reduce((sum, each) => sum + (each - mean) ** 2, 0) / PARTS)
  console.log(`${`${name}, three quarters`.padEnd(60)} accuracy ${mean.toFixed(3)} ± ${deviation.toFixed(3)}`)
}

function runKMeans(rows: readonly Labelled[], truth: readonly string[], k: number): Agreement {
  const vectors = tfIdf(rows.map(({ text }) => text))
  const random = createRandom(1)
  const runs = Array.from({ length: RESTARTS }, () => kMeans(vectors, k, random))
  const judged = runs.map((run) => ({ ...agreement(run.labels, truth), inertia: run.inertia }))
  const tightest = judged.reduce((best, run) => (run.inertia < best.inertia ? run : best))
  const luckiest = judged.reduce((best, run) => (run.accuracy > best.accuracy ? run : best))
  report(`TF-IDF and k-means with k = ${k}, the tightest of ${RESTARTS}`, tightest)
  report('… the one that happens to agree most', luckiest)
  return tightest
}

function report(name: string, { clusters, accuracy, nmi }: Agreement): void {
  const figures = `accuracy ${accuracy.toFixed(3)}  NMI ${nmi.toFixed(3)}  clusters ${clusters}`
  noteFigure(`mining: ${name}`, figures.replaceAll('  ', ', '))
  console.log(`${name.padEnd(60)} ${figures}`)
}

function points(share: number): string {
  return (share * 100).toFixed(1)
}

function reportSettings(rows: readonly Labelled[], truth: readonly string[]): void {
  console.log('\none setting changed at a time:')
  for (const [name, changed] of Object.entries(SETTINGS)) {
    const usual = DEFAULT_CLUSTERING[name as keyof ClusteringOptions]
    for (const value of changed) {
      report(`${name} ${value} (usual ${usual})`, agreement(groupsOf(rows, { [name]: value }), truth))
    }
  }
}

interface Measured {
  tickets: number
  readSeconds: number
  mineSeconds: number
  peakMegabytes: number
  distinct: number
  found: number
  agreement: Agreement
}

function measureGrowth(most: number): void {
  const sizes = [Math.round(most / 10), Math.round((most * 3) / 10), most]
  for (const [way, [name]] of WAYS.entries()) {
    console.log(name)
    let before: Measured | undefined
    for (const size of sizes) {
      const args = [fileURLToPath(import.meta.url), '--one', String(size), '--way', String(way)]
      const output = execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 24 })
      const measured: Measured = JSON.parse(output)
      print(name, measured)
      if (before) printGrowth(before, measured)
      before = measured
    }
  }
}

function print(way: string, measured: Measured): void {
  const { tickets, readSeconds, mineSeconds, peakMegabytes, distinct, found, agreement: agreed } = measured
  noteFigure(
    `mining ${tickets.toLocaleString('en')} synthetic tickets, ${way}`,
    `${(readSeconds + mineSeconds).toFixed(1)} s of processor time, ${peakMegabytes.toFixed(0)} MB`,
  )
  console.log(
    `${tickets.toLocaleString('en').padStart(8)} tickets: read ${readSeconds.toFixed(1)} s, mined ${mineSeconds.toFixed(1)} s of ` +
      `processor time, peak ${peakMegabytes.toFixed(0)} MB; ${distinct} distinct texts, ${found} frequent problems; ` +
      `accuracy ${agreed.accuracy.toFixed(3)}, NMI ${agreed.nmi.toFixed(3)} in ${agreed.clusters} clusters`,
  )
}

/** n log n from one size to the next is what may be needed. */
function printGrowth(before: Measured, after: Measured): void {
  const work = ({ readSeconds, mineSeconds }: Measured): number => readSeconds + mineSeconds
  const allowed = (after.tickets * Math.log(after.tickets)) / (before.tickets * Math.log(before.tickets))
  const needed = work(after) / work(before)
  console.log(`         ${needed.toFixed(2)} times the work for the step; n log n would be ${allowed.toFixed(2)}`)
}

function measureOne(count: number, options: Partial<ClusteringOptions> = {}): Measured {
  const store = createTicketStore(analyser.words)
  const miner = createMiner({ wordsOf: analyser.words, clustering: options })
  const truth: string[] = []
  const start = cpuSeconds()
  for (const { problem, ...ticket } of syntheticTickets(count, createRandom(1))) {
    miner.add({ ...ticket, category: '' })
    truth.push(problem)
  }
  const read = cpuSeconds()
  const { clusters } = miner.finish(LIMITS)
  const mined = cpuSeconds()
  const peakMegabytes = process.resourceUsage().maxRSS / 1024
  // Once more for the grouping of every ticket, of which the miner only tells the frequent part.
  for (const { problem, ...ticket } of syntheticTickets(count, createRandom(1)))
    store.add({ ...ticket, category: problem })
  const { texts, numbers } = groupTickets(store, { ...options, minTickets: LIMITS.minFrequency })
  const groups: number[] = []
  texts.forEach(({ tickets }, text) => {
    for (const ticket of tickets) groups[ticket] = numbers[text] as number
  })
  return {
    tickets: count,
    readSeconds: read - start,
    mineSeconds: mined - read,
    peakMegabytes,
    distinct: texts.length,
    found: clusters.length,
    agreement: agreement(groups, truth),
  }
}

/** Of all threads: comparable also while the machine does other work. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
