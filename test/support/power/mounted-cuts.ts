import { execFileSync } from 'node:child_process'
import {
  constants,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { between, randomFrom } from '../../contract/support/random.ts'
import { copyOfTemplate } from '../test-database.ts'
import { type Recorded, readJournal } from './journal.ts'
import { checkAfterCut, type PowerReport, type Sync, startWork } from './power-cuts.ts'

const IMAGE_BYTES = 512 * 2 ** 20
/** The file system brings nothing to its disk by itself: only what is synced gets there. */
const MOUNT_OPTIONS = 'loop,commit=600'

/** Whether this process may mount an image: root may, where the kernel has loop devices. */
export function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'mountable-'))
  try {
    const image = makeImage(join(folder, 'image'), 16 * 2 ** 20)
    mount(image, join(folder, 'mounted'))
    unmount(join(folder, 'mounted'))
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * The same work as `cutPower` on a real file system in an image. At each of `cuts` moments the work is halted, and the
 * image, which holds what the kernel has brought to that disk and nothing else, is copied, mounted and looked at. Time
 * during which the work was halted does not count.
 */
export async function cutMounted(sync: Sync, cuts: number, seed: number): Promise<PowerReport> {
  const folder = mkdtempSync(join(process.env.TEST_SCRATCH ?? tmpdir(), 'mounted-'))
  const mounted = join(folder, 'mounted')
  const report: PowerReport = { cuts: 0, acknowledged: 0, taken: 0, broken: 0, oldestTakenMs: 0 }
  const image = makeImage(join(folder, 'image'), IMAGE_BYTES)
  mount(image, mounted)
  try {
    const before = await copyOfTemplate()
    const dataDir = join(mounted, 'data')
    cpSync(before, dataDir, { recursive: true })
    rmSync(before, { recursive: true, force: true })
    execFileSync('sync', ['--file-system', mounted])
    const journal = join(folder, 'journal')
    writeFileSync(journal, '')
    const settings = { DATA_DIR: dataDir, EMBEDDED_SYNC: sync, WORK_SEED: String(seed), WORK_COUNT: '1000000' }
    const work = startWork(settings, { JOURNAL: journal })
    try {
      await waitForWork(journal)
      const random = randomFrom(seed)
      const halts: Halt[] = []
      while (report.cuts < cuts) {
        await sleep(between(random, 20, 2_500))
        work.kill('SIGSTOP')
        const fromMs = nowMs()
        const entries = runningTime(readJournal(journal), halts)
        const disk = copyImage(image, join(folder, 'copy'))
        await lookAt(disk, join(folder, 'look'), (cutDir) =>
          checkAfterCut(cutDir, entries, sync, report, fromMs - haltedBefore(fromMs, halts)),
        )
        report.cuts++
        halts.push({ fromMs, untilMs: nowMs() })
        work.kill('SIGCONT')
      }
    } finally {
      const ended = new Promise((resolve) => work.once('close', resolve))
      work.kill('SIGKILL')
      await ended
    }
    return report
  } finally {
    unmount(mounted)
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Halt {
  fromMs: number
  untilMs: number
}

/** The clock that the journal is written by. */
function nowMs(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1_000 + nanoseconds / 1e6
}

function haltedBefore(atMs: number, halts: readonly Halt[]): number {
  return halts.filter(({ untilMs }) => untilMs <= atMs).reduce((sum, { fromMs, untilMs }) => sum + untilMs - fromMs, 0)
}

function runningTime(entries: Recorded[], halts: readonly Halt[]): Recorded[] {
  return entries.map((entry) => ({ ...entry, atMs: entry.atMs - haltedBefore(entry.atMs, halts) }))
}

async function waitForWork(journal: string): Promise<void> {
  while (!readJournal(journal).some(({ kind }) => kind === 'acknowledged')) await sleep(50)
}

async function lookAt(image: string, at: string, look: (dataDir: string) => Promise<void>): Promise<void> {
  mount(image, at)
  try {
    await look(join(at, 'data'))
  } finally {
    unmount(at)
    rmSync(image)
  }
}

/** A copy during which nothing was written to the image. */
function copyImage(image: string, copy: string): string {
  for (;;) {
    const before = statSync(image, { bigint: true }).mtimeNs
    copyFileSync(image, copy, constants.COPYFILE_FICLONE)
    if (statSync(image, { bigint: true }).mtimeNs === before) return copy
  }
}

function makeImage(path: string, bytes: number): string {
  writeFileSync(path, '')
  truncateSync(path, bytes)
  execFileSync('mkfs.ext4', ['-q', '-F', path], { stdio: 'ignore' })
  return path
}

function mount(image: string, at: string): void {
  mkdirSync(at, { recursive: true })
  execFileSync('mount', ['-o', MOUNT_OPTIONS, image, at], { stdio: 'ignore' })
}

function unmount(at: string): void {
  execFileSync('umount', [at], { stdio: 'ignore' })
}
