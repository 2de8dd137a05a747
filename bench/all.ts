// Every benchmark, one after the other, and a table of what they found.
// Run: npm run bench -- [--data FOLDER] [--only NAME,NAME …] [--quick]
// FOLDER holds data sets, each in a folder of its own; without it the benchmarks that need one are left out.
// With TEST_DATABASE_URL chat is measured on that server too.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findDataSets } from './all/data.ts'

interface Run {
  name: string
  /** Of the command that does it alone, without what npm puts before it. */
  arguments: string[]
  /** On the database server rather than the embedded database. */
  onServer?: boolean
}

interface Row {
  command: string
  what: string
  value: string
}

const { values } = parseArgs({
  options: { data: { type: 'string' }, only: { type: 'string' }, quick: { type: 'boolean', default: false } },
})
const runs = listRuns().filter(({ name }) => !values.only || values.only.split(',').includes(name))
const folder = mkdtempSync(join(tmpdir(), 'frontdesk-bench-'))
const rows: Row[] = []
const failed: string[] = []
try {
  for (const run of runs) await measure(run)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
printTable()
if (failed.length > 0) {
  console.log(`\nfailed, or below their aim: ${failed.join(', ')}`)
  process.exitCode = 1
}

function listRuns(): Run[] {
  const data = findDataSets(values.data)
  const passages = (many: string, few: string): string => (values.quick ? few : many)
  const withData = (name: string, paths: readonly string[], option: string, more: string[] = []): Run[] =>
    paths.length === 0 ? [] : [{ name, arguments: [...paths.flatMap((path) => [option, path]), ...more] }]
  const sizes = values.quick ? ['1000', '5000'] : ['1000', '20000', '100000']
  const beside = ['MiniSearch', 'Orama', 'LangChain in memory'].flatMap((name) => ['--beside', name])
  return [
    { name: 'start', arguments: [] },
    ...withData('help-centres', data.helpCentres, '--data'),
    ...withData('retrieval', data.questions, '--data', ['--abstention']),
    { name: 'scale', arguments: [...sizes.flatMap((size) => ['--chunks', size]), ...beside] },
    ...['zh', 'both'].map((language) => ({
      name: 'scale',
      arguments: ['--chunks', passages('20000', '2000'), '--language', language],
    })),
    { name: 'ingestion', arguments: ['--documents', passages('150', '20')] },
    { name: 'chat', arguments: ['--chunks', passages('20000', '2000')] },
    ...(process.env.TEST_DATABASE_URL
      ? [
          { name: 'chat', arguments: ['--chunks', passages('20000', '2000')], onServer: true },
          { name: 'replicas', arguments: ['--seconds', passages('60', '10')], onServer: true },
        ]
      : []),
    { name: 'first-token', arguments: [] },
    { name: 'memory', arguments: ['--minutes', passages('10', '1'), '--chunks', passages('20000', '2000')] },
    { name: 'understanding', arguments: [] },
    { name: 'orders', arguments: data.orders.flatMap((path) => ['--data', path]) },
    { name: 'masking', arguments: [] },
    { name: 'quality', arguments: [passages('100000', '10000')] },
    ...withData('mining', data.tickets, '--data', ['--synthetic', passages('100000', '10000')]),
    { name: 'tuning', arguments: [] },
    { name: 'watching', arguments: [] },
  ]
}

async function measure(run: Run): Promise<void> {
  const command = `${run.onServer ? 'TEST_DATABASE_URL=… ' : ''}npm run bench:${run.name}`
  console.log(`\n━━ ${command} -- ${run.arguments.join(' ')}\n`)
  const figures = join(folder, String(rows.length))
  const script = join(import.meta.dirname, `${run.name}.ts`)
  const { TEST_DATABASE_URL: server, ...others } = process.env
  const env = { ...others, BENCH_FIGURES: figures, ...(run.onServer && server ? { TEST_DATABASE_URL: server } : {}) }
  const child = spawn(process.execPath, [script, ...run.arguments], { stdio: 'inherit', env })
  const [code] = await once(child, 'exit')
  if (code !== 0) failed.push(run.name)
  if (existsSync(figures)) {
    for (const line of readFileSync(figures, 'utf8').trim().split('\n')) rows.push({ command, ...JSON.parse(line) })
  }
}

/** As Markdown, so that it can be pasted. */
function printTable(): void {
  console.log('\n| what | figure | command |\n|---|---|---|')
  for (const { what, value, command } of rows) console.log(`| ${what} | ${value} | \`${command}\` |`)
}
