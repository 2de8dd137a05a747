import { mean, percentile } from '../retrieval/measure.ts'

export interface Question {
  language: 'zh' | 'en'
  query: string
  /** The section that the words were taken from. */
  answer: string
}

/** The contents of the passages found, best first. */
export type Search = (query: string) => Promise<string[]> | string[]

const WARM_UP = 30

/** Asks one question after the other and prints a table; returns the p50 over all of them, in milliseconds. */
export async function measureSearch(name: string, search: Search, questions: readonly Question[]): Promise<number> {
  for (const { query } of questions.slice(0, WARM_UP)) await search(query)
  const times: { language: string; ms: number }[] = []
  let hits = 0
  const cpuBefore = process.cpuUsage()
  for (const { query, answer, language } of questions) {
    const start = performance.now()
    const found = await search(query)
    times.push({ language, ms: performance.now() - start })
    if (found.some((content) => content.includes(answer) || answer.includes(content))) hits++
  }
  const { user, system } = process.cpuUsage(cpuBefore)
  for (const language of ['zh', 'en', 'all']) {
    const own = times.filter((time) => language === 'all' || time.language === language).map(({ ms }) => ms)
    const columns = [percentile(own, 0.5), percentile(own, 0.95), mean(own)].map((ms) => ms.toFixed(2).padStart(9))
    console.log(`${name.padEnd(12)} ${language.padEnd(4)} ${columns.join('')}`)
  }
  const cpuMs = (user + system) / 1000 / questions.length
  const found = ((100 * hits) / questions.length).toFixed(1)
  console.log(`${name.padEnd(12)} CPU ${cpuMs.toFixed(2)} ms a search in all threads; finds the passage in ${found} %`)
  return percentile(
    times.map(({ ms }) => ms),
    0.5,
  )
}
