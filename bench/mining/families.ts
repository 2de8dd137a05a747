import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRandom } from '../../src/features/evaluation/index.ts'

interface Family {
  intent: string
  zh: string[]
  en: string[]
}

export interface Labelled {
  ticket_id: string
  text: string
  gold_cluster: string
}

/** Tickets made of `count` families of wordings, drawn by `seed`: eight ways to say each thing, with hardly a word in common. */
export function ticketsOfFamilies(folder: string, language: 'zh' | 'en', count: number, seed: number): Labelled[] {
  const families = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
    .map((line): Family => JSON.parse(line))
  const random = createRandom(seed)
  const drawn = families
    .map((family) => ({ family, place: random() }))
    .sort((a, b) => a.place - b.place)
    .slice(0, count)
  return drawn.flatMap(({ family }) =>
    family[language].map((text, at) => ({
      ticket_id: `${family.intent}-${at}`,
      text,
      gold_cluster: family.intent,
    })),
  )
}
