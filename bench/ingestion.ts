// Processor time that a passage takes from its file to where it is found, of this checkout beside another one.
// Run: npm run bench:ingestion -- [--before FOLDER] [--database URL] [--language en --language zh] [--documents 150]
//        [--rounds 3] [--at-once 1]
// --before: a checkout of an earlier commit with its dependencies, loaded in turns with this one. --database: on a server
// (a database of its own for each load; its processes' time counts where they run on this machine), else embedded.
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

for (const language of values.language) {
  const loads = new Map<string, Load[]>(checkouts.map((checkout) => [checkout, []]))
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const checkout of checkouts) loads.get(checkout)!.push(await load(checkout, language))
  }
  const totals = checkouts.map((checkout) => report(checkout, language, loads.get(checkout)!))
  if (totals.length > 1) console.log(`${language}: ${(totals[1]! / totals[0]!).toFixed(1)} times less processor time\n`)
}

async function load(checkout: string, language: string): Promise<Load> {
  if (values.database) {
    const database = await createServerDatabase(values.database)
    try {
      return run(checkout, database.url, language)
    } finally {
      await database.drop()
    }
  }
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-ingestion-'))
  try {
    return run(checkout, join(folder, 'data'), language)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function run(checkout: string, place: string, language: string): Load {
  const script = join(here, 'bench/ingestion/load.ts')
  const sizes = [values.documents, values['at-once']]
  return JSON.parse(execFileSync(process.execPath, [script, checkout, place, language, ...sizes], { encoding: 'utf8' }))
}

/** @returns milliseconds of processor time for each passage */
function report(checkout: string, language: string, loads: readonly Load[]): number {
  const median = (of: (load: Load) => number): number => percentile(loads.map(of), 0.5)
  const [own, server] = [median(({ ownMs }) => ownMs), median(({ serverMs }) => serverMs)]
  const name = checkout === here ? 'this checkout' : checkout
  const rate = `${median(({ perSecond }) => perSecond).toFixed(0)} a second`
  const parts = server > 0 ? ` (${own.toFixed(2)} in the service, ${server.toFixed(2)} in Postgres)` : ''
  console.log(`${language} ${name}: ${(own + server).toFixed(2)} ms of processor time a passage${parts}, ${rate}`)
  if (checkout === here)
    noteFigure(`ingestion, ${language}: processor time a passage`, `${(own + server).toFixed(2)} ms`)
  return own + server
}
