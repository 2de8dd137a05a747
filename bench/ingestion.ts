// Processor time that a passage takes from its file to where it is found, of this checkout beside another one.
// Run: npm run bench:ingestion -- [--before FOLDER] [--database URL] [--language en --language zh] [--documents 150]
//        [--rounds 3] [--at-once 1]
// --before: a checkout of an earlier commit with its dependencies, loaded in turns with this one. On the embedded database,
// and with --database on a server as well (a database of its own for each load; its processes' time counts where they run on
// this machine). Every load is done with vectors and without them: what they take is counted apart.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { noteFigure } from './figures.ts'
import { percentile } from './retrieval/measure.ts'
import { createServerDatabase } from './retrieval/server-database.ts'

interface Load {
  perSecond: number
  ownMs: number
  serverMs: number
}

/** Loads of a checkout on a database. */
interface Loads {
  with: Load[]
  without: Load[]
}

const { values } = parseArgs({
  options: {
    before: { type: 'string' },
    database: { type: 'string' },
    language: { type: 'string', multiple: true, default: ['en', 'zh'] },
    documents: { type: 'string', default: '150' },
    rounds: { type: 'string', default: '3' },
    'at-once': { type: 'string', default: '1' },
  },
})
const here = resolve(import.meta.dirname, '..')
const checkouts = [here, ...(values.before ? [resolve(values.before)] : [])]
const kinds = values.database ? (['embedded', 'server'] as const) : (['embedded'] as const)
type Kind = (typeof kinds)[number]

for (const kind of kinds) for (const language of values.language) await compare(kind, language)

async function compare(kind: Kind, language: string): Promise<void> {
  const loads = new Map<string, Loads>(checkouts.map((checkout) => [checkout, { with: [], without: [] }]))
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const vectors of ['with', 'without'] as const) {
      for (const checkout of checkouts)
        loads.get(checkout)![vectors].push(await load(kind, checkout, language, vectors))
    }
  }
  const totals = checkouts.map((checkout) => report(kind, checkout, language, loads.get(checkout)!))
  const [now, before] = totals
  if (!now || !before) return
  const times = (part: keyof Loads): string => (before[part] / now[part]).toFixed(2)
  console.log(
    `${language}, ${kind}: ${times('without')} times less processor time; with vectors ${times('with')} times\n`,
  )
}

async function load(kind: Kind, checkout: string, language: string, vectors: keyof Loads): Promise<Load> {
  if (kind === 'server') {
    const database = await createServerDatabase(values.database ?? '')
    try {
      return run(checkout, database.url, language, vectors)
    } finally {
      await database.drop()
    }
  }
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-ingestion-'))
  try {
    return run(checkout, join(folder, 'data'), language, vectors)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function run(checkout: string, place: string, language: string, vectors: keyof Loads): Load {
  const script = join(here, 'bench/ingestion/load.ts')
  const options = [values.documents, values['at-once'], vectors === 'with' ? 'on' : 'off']
  const output = execFileSync(process.execPath, [script, checkout, place, language, ...options], { encoding: 'utf8' })
  return JSON.parse(output)
}

/** @returns milliseconds of processor time for each passage */
function report(kind: Kind, checkout: string, language: string, loads: Loads): Record<keyof Loads, number> {
  const name = checkout === here ? 'this checkout' : checkout
  const { ownMs, serverMs, perSecond } = mediansOf(loads.without)
  const total = ownMs + serverMs
  const all = mediansOf(loads.with)
  const vectors = all.ownMs + all.serverMs - total
  const parts = kind === 'server' ? ` (${ownMs.toFixed(3)} in the service, ${serverMs.toFixed(3)} in Postgres)` : ''
  console.log(
    `${language}, ${kind}, ${name}: ${total.toFixed(3)} ms of processor time a passage${parts}, ` +
      `and ${vectors.toFixed(3)} ms for its vectors; ${perSecond.toFixed(0)} a second`,
  )
  if (checkout === here) {
    noteFigure(`ingestion, ${language}, ${kind}: processor time a passage, without vectors`, `${total.toFixed(2)} ms`)
  }
  return { without: total, with: total + vectors }
}

function mediansOf(loads: readonly Load[]): Load {
  const median = (of: (load: Load) => number): number => percentile(loads.map(of), 0.5)
  return {
    perSecond: median(({ perSecond }) => perSecond),
    ownMs: median(({ ownMs }) => ownMs),
    serverMs: median(({ serverMs }) => serverMs),
  }
}
