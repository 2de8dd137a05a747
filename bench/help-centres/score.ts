import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startServer } from '../retrieval/server.ts'
import type { HelpCentre } from './sets.ts'

/** Program of one column of the table. */
export interface Variant {
  name: string
  /** The file that is started; undefined: this checkout's. */
  main: string | undefined
}

export interface Totals {
  n: number
  right_rate: number
  refused_rate: number
  wrong_rate: number
  false_handoff: number
  shown_rate: number
  p50_ms: number
  right_median_length: number | null
  verdicts: Record<string, number>
}

export interface Asked {
  id: string
  conversation: string
  turn: number
  question: string
  note: string
  kind: string
  answerable: boolean
  verdict: string
  length: number
  reply: string
}

export interface Scored {
  summary: {
    answerable: Totals
    unanswerable: Totals
    handoff: Totals
    kinds: Record<string, Totals>
    retrieval: { n: number; first: number; five: number; ten: number; context: number }
    foreign_answered?: number
    documents: number
    not_ingested: number
    upload_s: number
  }
  results: Asked[]
}

/** Starts the product on an empty folder, lets the set's own program upload, ask and judge, and reads what it found. */
export async function score(scorer: string, set: HelpCentre, variant: Variant, out: string): Promise<Scored> {
  const server = await startServer(variant)
  try {
    const foreign = set.foreign ? ['--foreign', set.foreign] : []
    const data = ['--docs', join(set.folder, 'docs'), '--questions', join(set.folder, 'questions.jsonl')]
    const child = spawn(process.execPath, [scorer, '--url', server.url, ...data, ...foreign, '--out', out], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error(`${scorer} ended with ${code}`)
  } finally {
    await server.stop()
  }
  return JSON.parse(readFileSync(out, 'utf8')) as Scored
}
