import { mean, percentile } from '../retrieval/measure.ts'

export interface Question {
  language: 'zh' | 'en'
  query: string
  /** The section that the words were taken from. */
  answer: string
}

/** The contents of the passages found, best first. */
export type Search = (query: string) => Promise<string[]> | string[]

/**
 * Medians over all questions, in milliseconds. CPU time is that of all threads, a busy machine does not bend it; what a
 * database server takes is known for all questions together, so its mean is added.
 */
export interface Medians {
  wallMs: number
  cpuMs: number
}

export interface Engine {
  name: string
  search: Search
  questions: readonly Question[]
  /** Processor time that other processes took for it so far, in milliseconds. */
  serverMs?: (() => number) | undefined
}

interface Asked {
  language: string
  ms: number
  cpuMs: number
  isFound: boolean
}

/** Questions that one engine is asked in a row: with fewer each would find the processor's caches full of the other's. */
const ROUND = 75
const WARM_UP_MS = 20_000

/** Asks the engines in turns, so that what else the machine does meets all alike, and prints a table for each. */
export async function measureSearches(engines: readonly Engine[]): Promise<Medians[]> {
  // A service that has run for a while: everything that is called often is compiled.
  for (const engine of engines) await warmUp(engine)
  const asked: Asked[][] = engines.map(() => [])
  const served = engines.map(() => 0)
  const most = Math.max(...engines.map(({ questions }) => questions.length))
  for (let start = 0; start < most; start += ROUND) {
    for (const [i, { search, questions, serverMs = () => 0 }] of engines.entries()) {
      const before = serverMs()
      for (const question of questions.slice(start, start + ROUND)) asked[i]!.push(await ask(search, question))
      served[i]! += serverMs() - before
    }
  }
  return engines.map(({ name }, i) => printTable(name, asked[i]!, served[i]! / asked[i]!.length))
}

async function warmUp({ search, questions }: Engine): Promise<void> {
  const start = performance.now()
  for (const { query } of questions) if (performance.now() - start < WARM_UP_MS) await search(query)
}

async function ask(search: Search, { query, answer, language }: Question): Promise<Asked> {
  const cpuBefore = process.cpuUsage()
  const start = performance.now()
  const found = await search(query)
  const ms = performance.now() - start
  const { user, system } = process.cpuUsage(cpuBefore)
  const isFound = found.some((content) => content.includes(answer) || answer.includes(content))
  return { language, ms, cpuMs: (user + system) / 1000, isFound }
}

function printTable(name: string, asked: readonly Asked[], servedMs: number): Medians {
  for (const language of ['zh', 'en', 'all']) {
    const own = asked.filter((each) => language === 'all' || each.language === language).map(({ ms }) => ms)
    if (own.length > 0) console.log(`${name.padEnd(12)} ${language.padEnd(4)} ${columns(own)}`)
  }
  const cpu = asked.map(({ cpuMs }) => cpuMs)
  console.log(`${name.padEnd(12)} CPU  ${columns(cpu)}`)
  if (servedMs > 0) console.log(`${name.padEnd(12)} CPU of the database server, mean ${servedMs.toFixed(2)}`)
  const share = (100 * asked.filter(({ isFound }) => isFound).length) / asked.length
  console.log(`${name.padEnd(12)} finds the passage in ${share.toFixed(1)} %`)
  const wall = asked.map(({ ms }) => ms)
  return { wallMs: percentile(wall, 0.5), cpuMs: percentile(cpu, 0.5) + servedMs }
}

function columns(times: readonly number[]): string {
  return [percentile(times, 0.5), percentile(times, 0.95), mean(times)].map((ms) => ms.toFixed(2).padStart(9)).join('')
}
