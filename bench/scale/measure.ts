import { mean, percentile } from '../retrieval/measure.ts'

export interface Question {
  language: 'zh' | 'en'
  query: string
  /** The section that the words were taken from. */
  answer: string
}

/** The contents of the passages found, best first. */
export type Search = (query: string) => Promise<string[]> | string[]

/** Medians over all questions, in milliseconds. CPU time is that of all threads: a busy machine does not bend it. */
export interface Medians {
  wallMs: number
  cpuMs: number
}

/** Asks one question after the other and prints a table. */
export async function measureSearch(name: string, search: Search, questions: readonly Question[]): Promise<Medians> {
  // A service that has run for a while: everything that is called often is compiled.
  for (const { query } of questions) await search(query)
  const times: { language: string; ms: number; cpuMs: number }[] = []
  let hits = 0
  for (const { query, answer, language } of questions) {
    const cpuBefore = process.cpuUsage()
    const start = performance.now()
    const found = await search(query)
    const ms = performance.now() - start
    const { user, system } = process.cpuUsage(cpuBefore)
    times.push({ language, ms, cpuMs: (user + system) / 1000 })
    if (found.some((content) => content.includes(answer) || answer.includes(content))) hits++
  }
  for (const language of ['zh', 'en', 'all']) {
    const own = times.filter((time) => language === 'all' || time.language === language).map(({ ms }) => ms)
    const columns = [percentile(own, 0.5), percentile(own, 0.95), mean(own)].map((ms) => ms.toFixed(2).padStart(9))
    console.log(`${name.padEnd(12)} ${language.padEnd(4)} ${columns.join('')}`)
  }
  const cpu = times.map(({ cpuMs }) => cpuMs)
  const cpuColumns = [percentile(cpu, 0.5), percentile(cpu, 0.95), mean(cpu)].map((ms) => ms.toFixed(2).padStart(9))
  console.log(`${name.padEnd(12)} CPU  ${cpuColumns.join('')}`)
  console.log(`${name.padEnd(12)} finds the passage in ${((100 * hits) / questions.length).toFixed(1)} %`)
  const wall = times.map(({ ms }) => ms)
  return { wallMs: percentile(wall, 0.5), cpuMs: percentile(cpu, 0.5) }
}
