import { readFileSync } from 'node:fs'

/**
 * How many families of customers' wordings, each about a need of its own, hold a word: those that are met in many subjects.
 * Made by `npm run train:words`.
 */
const COUNTED = JSON.parse(readFileSync(new URL('./everyday-words.json', import.meta.url), 'utf8')) as {
  families: number
  words: Record<string, number>
}

/** A word that no more families hold keeps its whole weight. */
const FROM = 60
const TELLING_FROM = Math.log(COUNTED.families / FROM)

/** Words that customers use whatever they ask about, and which share of its weight each keeps, 0 to 1. */
export const EVERYDAY_WORDS: ReadonlyMap<string, number> = new Map(
  Object.entries(COUNTED.words).map(([word, count]) => [word, Math.log(COUNTED.families / count) / TELLING_FROM]),
)
