// How much memory the service takes after its start, and how fast that grows while it works: questions, half of them
// asked before, whole and streamed, and uploads. The default load is what a busy hour brings, in ten minutes.
// Run: npm run bench:memory -- [--minutes 10] [--rate 20]
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Child, newStorage, startChild } from '../test/contract/support/child.ts'
import { noteFigure } from './figures.ts'
import { COLLECT_EVERY_MS } from './memory/collect.ts'
import { runLoad, sampleFiles, uploadTo } from './memory/load.ts'

const MEGABYTE = 1024 * 1024
const SAMPLE_MS = 1_000
const SAMPLES_OF_ONE = (6 * COLLECT_EVERY_MS) / SAMPLE_MS
const PRELOADED = new URL('./memory/collect.ts', import.meta.url).href
/** Caches fill, code is compiled: the slope is that of the rest. */
const WARM_UP_SHARE = 0.5
const AIM_MB_PER_MINUTE = 1

interface Sample {
  minutes: number
  residentMb: number
  heapMb: number
}

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, rate: { type: 'string', default: '20' } },
})
const minutes = Number(values.minutes)
const storage = await newStorage()
const child = await startChild(storage, { NODE_OPTIONS: `--expose-gc --import=${PRELOADED}` })
try {
  for (const { name, bytes } of sampleFiles()) await uploadTo(child.origin, name, bytes)
  const start = await sample(child, 0)
  console.log(`after the start and ${sampleFiles().length} documents: ${show(start)}`)
  const startedAt = Date.now()
  const endsAt = startedAt + minutes * 60_000
  const sending = runLoad(child.origin, Number(values.rate), endsAt)
  const samples: Sample[] = []
  while (Date.now() < endsAt) {
    await sleep(SAMPLE_MS)
    samples.push(await sample(child, (Date.now() - startedAt) / 60_000))
    if (samples.length % 30 === 0)
      console.log(`${samples.at(-1)?.minutes.toFixed(1)} min: ${show(samples.at(-1) as Sample)}`)
  }
  report(start, samples, await sending)
} finally {
  await child.stop('SIGTERM')
  await storage.remove()
}

function report(start: Sample, samples: readonly Sample[], requests: number): void {
  const settled = lowest(samples.filter((each) => each.minutes >= minutes * WARM_UP_SHARE))
  const resident = slope(settled, ({ residentMb }) => residentMb)
  const heap = slope(settled, ({ heapMb }) => heapMb)
  const last = settled.at(-1) as Sample
  console.log(`${requests} requests in ${minutes} minutes; at the end ${show(last)}`)
  console.log(
    `slope after the warm-up: resident ${resident.toFixed(2)}, heap ${heap.toFixed(2)} MB a minute (aim ${AIM_MB_PER_MINUTE})`,
  )
  noteFigure('memory after the start', `${start.residentMb.toFixed(0)} MB`)
  noteFigure(`memory after ${requests} requests`, `${last.residentMb.toFixed(0)} MB`)
  noteFigure('growth of memory after the warm-up', `${resident.toFixed(2)} MB a minute`)
  if (resident > AIM_MB_PER_MINUTE) process.exitCode = 1
}

/** What is left after garbage was collected. */
function lowest(samples: readonly Sample[]): Sample[] {
  const groups = Map.groupBy(samples, (_, index) => Math.floor(index / SAMPLES_OF_ONE))
  return [...groups.values()].map((group) => ({
    minutes: group[0]?.minutes ?? 0,
    residentMb: Math.min(...group.map(({ residentMb }) => residentMb)),
    heapMb: Math.min(...group.map(({ heapMb }) => heapMb)),
  }))
}

/** By least squares, in MB a minute. */
function slope(samples: readonly Sample[], of: (sample: Sample) => number): number {
  const mean = (numbers: number[]): number => numbers.reduce((sum, each) => sum + each, 0) / numbers.length
  const x = mean(samples.map((each) => each.minutes))
  const y = mean(samples.map(of))
  const together = samples.reduce((sum, each) => sum + (each.minutes - x) * (of(each) - y), 0)
  return together / samples.reduce((sum, each) => sum + (each.minutes - x) ** 2, 0)
}

async function sample(of: Child, atMinutes: number): Promise<Sample> {
  const metrics = await (await fetch(`${of.origin}/metrics`)).text()
  const heap = Number(/^\w*nodejs_heap_size_used_bytes(?:\{[^}]*\})? (\S+)/m.exec(metrics)?.[1] ?? Number.NaN)
  return { minutes: atMinutes, residentMb: ((await of.memory()) ?? Number.NaN) / MEGABYTE, heapMb: heap / MEGABYTE }
}

function show({ residentMb, heapMb }: Sample): string {
  return `resident ${residentMb.toFixed(0)} MB, heap ${heapMb.toFixed(0)} MB`
}
