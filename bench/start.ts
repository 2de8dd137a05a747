// How long a start takes: the first, which makes the database, and further ones on the sample shop's documents.
// With --fresh: the very first, in a new clone of what is committed, with nothing in npm's cache and then with all.
// Run: npm run bench:start -- [--starts 7] [--fresh]
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { newFolder, startChild } from '../test/contract/support/child.ts'
import { noteFigure } from './figures.ts'
import { sampleFiles, uploadTo } from './memory/load.ts'
import { secondsOf } from './process-time.ts'
import { percentile } from './retrieval/measure.ts'
import { startFresh } from './start/fresh.ts'

const AIM_MS = 3_000
const AIM_OF_A_CLONE_S = 45

const { values } = parseArgs({
  options: { starts: { type: 'string', default: '7' }, fresh: { type: 'boolean', default: false } },
})
if (values.fresh) await startClones()
else await startHere()

async function startClones(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-fresh-'))
  try {
    for (const cached of ['nothing', 'all']) {
      const start = await startFresh(join(folder, cached), join(folder, 'cache'))
      const { seconds, processorSeconds, packages, installedMb } = start
      console.log(
        `npm start in a new clone with ${cached} in npm's cache, until a question is answered: ${seconds.toFixed(1)} s, ` +
          `of processors ${processorSeconds.toFixed(1)} s; ${packages} packages, ${installedMb.toFixed(0)} MB`,
      )
      noteFigure(`first start of a clone, ${cached} in npm's cache`, `${seconds.toFixed(0)} s`)
      if (seconds > AIM_OF_A_CLONE_S) process.exitCode = 1
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function startHere(): Promise<void> {
  const storage = await newFolder()
  try {
    const first = await startChild(storage)
    report('first start, which makes the database', [first.startedInMs], [secondsOf(first.pid) * 1_000])
    const files = sampleFiles()
    for (const file of files) await uploadTo(first.origin, file.name, file.bytes)
    await first.stop('SIGTERM')

    const wall: number[] = []
    const processor: number[] = []
    for (let i = 0; i < Number(values.starts); i++) {
      const child = await startChild(storage)
      wall.push(child.startedInMs)
      processor.push(secondsOf(child.pid) * 1_000)
      await child.stop('SIGTERM')
    }
    report(`start on ${files.length} documents`, wall, processor)
    if (percentile(wall, 0.5) > AIM_MS) process.exitCode = 1
    console.log(`aim: ${AIM_MS / 1_000} s on a machine without other work`)
  } finally {
    await storage.remove()
  }
}

function report(what: string, wall: readonly number[], processor: readonly number[]): void {
  const seconds = (milliseconds: readonly number[]): string => (percentile(milliseconds, 0.5) / 1_000).toFixed(2)
  console.log(`${what}: ${seconds(wall)} s, of processors ${seconds(processor)} s (median of ${wall.length})`)
  noteFigure(what, `${seconds(wall)} s`)
}
