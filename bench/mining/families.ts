import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { createRandom } from '../../src/features/evaluation/index.ts'

interface Family {
  intent: string
  domain: string
  zh: string[]
  en: string[]
}

export interface Labelled {
  ticket_id: string
  text: string
  gold_cluster: string
}

interface Drawing {
  count: number
  seed: number
  isDrawn(family: Family): boolean
}

/** Is a family left out of what `npm run train:vectors -- --holdout` learns? */
export function isHeldOut({ domain, intent }: Family): boolean {
  return crc32(`${domain}/${intent}`) % 10 === 0
}

/** Tickets made of families of wordings: eight ways to say each thing, with hardly a word in common. */
export function ticketsOfFamilies(
  folder: string,
  language: 'zh' | 'en',
  { count, seed, isDrawn }: Drawing,
): Labelled[] {
  const families = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
    .map((line): Family => JSON.parse(line))
    .filter(isDrawn)
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
