// How much memory the service takes after its start, and how fast that grows while it works: questions, half of them
// asked before, whole and streamed, and uploads. The default load is what a busy hour brings, in ten minutes, over a
// knowledge base that is larger than the database's buffers: before they are full, each page that is read is growth.
// Run: npm run bench:memory -- [--minutes 10] [--rate 20] [--chunks 20000]
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Child, newStorage, startChild } from '../test/contract/support/child.ts'
import { noteFigure } from './figures.ts'
import { collectedIn } from './memory/collect.ts'
import { runLoad, sampleFiles, uploadTo } from './memory/load.ts'
import { createText } from './scale/text.ts'

const MEGABYTE = 1024 * 1024
const SHOW_MS = 30_000
const PRELOADED = new URL('./memory/collect.ts', import.meta.url).href
/** Caches fill, code is compiled: the slope is that of the rest. */
const WARM_UP_SHARE = 0.5
const AIM_MB_PER_MINUTE = 1
/** Passages of one document. */
const SECTIONS = 40
const text = createText()

interface Sample {
  minutes: number
  residentMb: number
  heapMb: number
}

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    rate: { type: 'string', default: '20' },
    chunks: { type: 'string', default: '20000' },
  },
})
const minutes = Number(values.minutes)
const storage = await newStorage()
const child = await startChild(storage, { NODE_OPTIONS: `--expose-gc --import=${PRELOADED}` })
try {
  // The first collection comes some seconds later.
  await sleep(SHOW_MS / 3)
  const empty = lastOf(samplesOf(child))
  console.log(`after the start: ${show(empty)}`)
  noteFigure('memory after the start', `${empty.residentMb.toFixed(0)} MB`)
  for (const { name, bytes } of sampleFiles()) await uploadTo(child.origin, name, bytes)
  await sleep(SHOW_MS / 3)
  const start = lastOf(samplesOf(child))
  console.log(`after ${sampleFiles().length} documents: ${show(start)}`)
  const documents = Math.ceil(Number(values.chunks) / SECTIONS)
  for (let number = 0; number < documents; number++) {
    await uploadTo(child.origin, `${number}.md`, text.document(number, SECTIONS).markdown)
  }
  const loaded = lastOf(samplesOf(child))
  console.log(`after ${Number(values.chunks).toLocaleString('en')} passages more: ${show(loaded)}`)
  const startedAt = Date.now()
  const showing = setInterval(() => {
    console.log(`${((Date.now() - startedAt) / 60_000).toFixed(1)} min: ${show(lastOf(samplesOf(child)))}`)
  }, SHOW_MS)
  const requests = await runLoad(child.origin, Number(values.rate), Date.now() + minutes * 60_000)
  clearInterval(showing)
  report(start, loaded, samplesOf(child), requests)
} finally {
  await child.stop('SIGTERM')
  await storage.remove()
}

function report(start: Sample, loaded: Sample, samples: readonly Sample[], requests: number): void {
  const settled = samples.filter((each) => each.minutes >= loaded.minutes + minutes * WARM_UP_SHARE)
  const resident = slope(settled, ({ residentMb }) => residentMb)
  const heap = slope(settled, ({ heapMb }) => heapMb)
  const last = lastOf(settled)
  console.log(`${requests} requests in ${minutes} minutes; at the end ${show(last)}`)
  console.log(
    `slope after the warm-up: resident ${resident.toFixed(2)}, heap ${heap.toFixed(2)} MB a minute (aim ${AIM_MB_PER_MINUTE})`,
  )
  noteFigure(`memory after ${sampleFiles().length} documents`, `${start.residentMb.toFixed(0)} MB`)
  noteFigure(`memory with ${values.chunks} passages`, `${loaded.residentMb.toFixed(0)} MB`)
  noteFigure(`memory after ${requests} requests`, `${last.residentMb.toFixed(0)} MB`)
  noteFigure('growth of memory after the warm-up', `${resident.toFixed(2)} MB a minute`)
  if (resident > AIM_MB_PER_MINUTE) process.exitCode = 1
}

function samplesOf(of: Child): Sample[] {
  return collectedIn(of.output()).map(({ collectedAt, heapBytes, residentBytes }) => ({
    minutes: collectedAt / 60,
    residentMb: residentBytes / MEGABYTE,
    heapMb: heapBytes / MEGABYTE,
  }))
}

function lastOf(samples: readonly Sample[]): Sample {
  const last = samples.at(-1)
  if (!last) throw new Error('The service has not collected its garbage yet')
  return last
}

/** By least squares, in MB a minute. */
function slope(samples: readonly Sample[], of: (sample: Sample) => number): number {
  const mean = (numbers: number[]): number => numbers.reduce((sum, each) => sum + each, 0) / numbers.length
  const x = mean(samples.map((each) => each.minutes))
  const y = mean(samples.map(of))
  const together = samples.reduce((sum, each) => sum + (each.minutes - x) * (of(each) - y), 0)
  return together / samples.reduce((sum, each) => sum + (each.minutes - x) ** 2, 0)
}

function show({ residentMb, heapMb }: Sample): string {
  return `resident ${residentMb.toFixed(0)} MB, heap ${heapMb.toFixed(0)} MB`
}
