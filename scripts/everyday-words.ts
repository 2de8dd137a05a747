// Counts in how many families of customers' wordings each word occurs, for words that are at home in nearly every subject:
// node scripts/everyday-words.ts. They are what questions are made of, whatever they ask about.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createAnalyser } from '../src/language/words/analyser.ts'
import { isStopWord } from '../src/language/words/stop-words.ts'
import { readFamilies } from './train-vectors/families.ts'

/** Rarer words tell families apart. */
const MIN_FAMILIES = 60
/** Share of the subjects in which a word must be met: `card` is frequent, and belongs to some. */
const MIN_SUBJECTS = 0.2
const TARGET = new URL('../src/language/words/everyday-words.json', import.meta.url)

const families = readFamilies(fileURLToPath(new URL('../training/families', import.meta.url)))
const analyser = createAnalyser()
const met = new Map<string, Map<string, number>>()
for (const { zh, en, domain } of families) {
  for (const word of new Set([...zh, ...en].flatMap(analyser.words))) {
    const subjects = met.get(word) ?? new Map<string, number>()
    subjects.set(domain, (subjects.get(domain) ?? 0) + 1)
    met.set(word, subjects)
  }
}
const subjectCount = new Set(families.map(({ domain }) => domain)).size
const counted = [...met]
  .map(([word, subjects]) => ({ word, subjects: subjects.size, count: [...subjects.values()].reduce((a, b) => a + b) }))
  .filter(({ count, subjects }) => count >= MIN_FAMILIES && subjects >= MIN_SUBJECTS * subjectCount)
  .filter(({ word }) => !isStopWord(word))
  .toSorted((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1))
const words = Object.fromEntries(counted.map(({ word, count }) => [word, count]))
writeFileSync(TARGET, `${JSON.stringify({ families: families.length, words })}\n`)
console.log(`${counted.length} words of ${families.length} families in ${subjectCount} subjects`)
