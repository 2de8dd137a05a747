import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'

/** A need of customers in many wordings, with its official title and answer. */
export interface Family {
  name: string
  domain: string
  zh: string[]
  en: string[]
  titles: { zh: string; en: string }
  answers: { zh: string; en: string }
  /** Held back as a test with `--holdout`. */
  isTest: boolean
}

interface Line {
  intent: string
  domain: string
  title_zh: string
  title_en: string
  answer_zh: string
  answer_en: string
  zh: string[]
  en: string[]
}

/** Wordings so short fit siblings too. */
const isTelling = { zh: (text: string) => [...text].length > 4, en: (text: string) => text.split(/\s+/).length > 3 }

export function readFamilies(folder: string): Family[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
  return files.toSorted().flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => toFamily(JSON.parse(line) as Line)),
  )
}

function toFamily(line: Line): Family {
  const name = `${line.domain}/${line.intent}`
  return {
    name,
    domain: line.domain,
    zh: line.zh.filter(isTelling.zh),
    en: line.en.filter(isTelling.en),
    titles: { zh: line.title_zh, en: line.title_en },
    answers: { zh: line.answer_zh, en: line.answer_en },
    isTest: crc32(name) % 10 === 0,
  }
}
