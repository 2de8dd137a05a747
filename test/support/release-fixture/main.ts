// `node test/support/release-fixture/main.ts FOLDER`: fills a new database of the Frontdesk in FOLDER (a checkout of the
// release, with its node_modules) with a bit of everything, over its own endpoints, and writes into test/fixtures:
// `embedded.tar.zst` by its own backup, and with TEST_DATABASE_URL `server.sql.zst` by pg_dump (PG_DUMP names another
// command that is one), each with what was in it.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { constants, gunzipSync, zstdCompressSync } from 'node:zlib'
import pg from 'pg'
import { fill } from './fill.ts'

const [release = ''] = process.argv.slice(2)
const { version } = JSON.parse(readFileSync(join(release, 'package.json'), 'utf8')) as { version: string }
const out = new URL(`../../fixtures/release-${version}/`, import.meta.url).pathname
const scratch = mkdtempSync(join(tmpdir(), 'frontdesk-release-'))
mkdirSync(out, { recursive: true })

async function start(settings: Record<string, string>): Promise<{ child: ChildProcess; origin: string }> {
  const child = spawn(process.execPath, [join(release, 'src/main.ts'), '--demo'], {
    cwd: scratch,
    // So that an alert is raised.
    env: { PATH: process.env.PATH, PORT: '0', ALERT_FREE_DISK_PERCENT: '100', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  for await (const chunk of child.stdout) {
    output += String(chunk)
    const origin = /"address":"([^"]+)"[^\n]*is ready/.exec(output)?.[1]
    if (origin) {
      child.stdout.destroy()
      return { child, origin }
    }
  }
  throw new Error(`It did not start:\n${output}`)
}

/** Fills a database and ends the program as an operator does. */
async function make(name: string, settings: Record<string, string>): Promise<void> {
  const { child, origin } = await start(settings)
  const facts = await fill(origin)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
  writeFileSync(join(out, `${name}.json`), `${JSON.stringify(facts, null, 2)}\n`)
}

async function embedded(): Promise<void> {
  const dataDir = join(scratch, 'data')
  await make('embedded', { DATA_DIR: dataDir })
  const target = join(scratch, 'embedded.tar.gz')
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir }
  execFileSync(process.execPath, [join(release, 'scripts/backup.ts'), target], { cwd: scratch, env, stdio: 'inherit' })
  keep('embedded.tar.zst', gunzipSync(readFileSync(target)))
}

/** A third of what gzip makes of it: a new database is three copies of one. */
function keep(name: string, content: Uint8Array | string): void {
  const params = {
    [constants.ZSTD_c_compressionLevel]: 19,
    [constants.ZSTD_c_windowLog]: 27,
    [constants.ZSTD_c_enableLongDistanceMatching]: 1,
  }
  writeFileSync(join(out, name), zstdCompressSync(content, { params }))
}

/** Plain SQL without what a driver cannot send: no COPY, no commands of psql. */
const DUMP = ['--inserts', '--rows-per-insert=100', '--no-owner', '--no-privileges', '--no-comments']

async function server(url: string): Promise<void> {
  const name = `release_${process.pid}`
  const admin = new pg.Client(url)
  await admin.connect()
  await admin.query(`create database ${name}`)
  const own = new URL(url)
  own.pathname = `/${name}`
  try {
    await make('server', { DATABASE_URL: own.href, DATA_DIR: join(scratch, 'unused') })
    const [command = '', ...before] = (process.env.PG_DUMP ?? 'pg_dump').split(' ')
    const dump = execFileSync(command, [...before, ...DUMP, own.href], { maxBuffer: 2 ** 28, encoding: 'utf8' })
    const plain = dump.replaceAll(/^\\(?:un)?restrict .*$/gm, '')
    keep('server.sql.zst', plain)
  } finally {
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
  }
}

try {
  await embedded()
  if (process.env.TEST_DATABASE_URL) await server(process.env.TEST_DATABASE_URL)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
