import { resolve } from 'node:path'
import { type Config, readConfig } from '../../src/config.ts'
import type { Progress } from './archive.ts'

const REPORT_EVERY_MS = 2_000

/** Lines for people go to standard error. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** A path as the operator means it: npm runs scripts in the project's folder, wherever it was called. */
export function asGiven(path: string): string {
  return resolve(process.env.INIT_CWD ?? '.', path)
}

/**
 * Says how far it is, every two seconds: quick work says nothing. The first Ctrl-C ends the work so that it can clear
 * away what it began, a second one at once.
 */
export function reportProgress(doing: string): Progress {
  let saidAtMs = performance.now()
  let stopped = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      stopped = true
    })
  }
  return (done, total) => {
    if (stopped) throw new Error('Stopped before it was complete; nothing has changed')
    if (performance.now() - saidAtMs < REPORT_EVERY_MS) return
    saidAtMs = performance.now()
    say(`${doing}: ${mebibytes(done)} of ${mebibytes(total)} MiB`)
  }
}

export function mebibytes(bytes: number): string {
  return (bytes / 1_048_576).toFixed(1)
}

/** Runs the command; what goes wrong is said in one line and makes the exit code 1. */
export async function runCommand(usage: string, parse: () => (() => Promise<void>) | null): Promise<void> {
  process.umask(0o077)
  const command = attempt(parse)
  if (!command) {
    say(usage)
    process.exitCode = 2
    return
  }
  await command().catch((error: unknown) => {
    say(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  })
}

/** A command line that cannot be parsed is answered like one that says too little. */
function attempt<T>(parse: () => T): T | null {
  try {
    return parse()
  } catch (error) {
    say(error instanceof Error ? error.message : String(error))
    return null
  }
}

/** The folder of the embedded database. Throws where a server keeps the data. */
export function embeddedDataDir(serverCommand: string): string {
  const config: Config = readConfig()
  if (config.DATABASE_URL === '') return config.DATA_DIR
  throw new Error(
    `DATABASE_URL is set: the data is on a Postgres server, and its own tools know it best, such as\n  ${serverCommand}\n` +
      'docs/deployment.md says more.',
  )
}
