import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { type Child, newEmbedded, type Storage, startChild } from '../contract/support/child.ts'
import { call, upload } from './support/client.ts'
import { findLosses, type Load, startLoad } from './support/load.ts'

const PRELOADED = new URL('../support/failing-disk/main.ts', import.meta.url).href
const CLIENTS = 3
const SAYS_WHY = /"level":"fatal".*The embedded database cannot write its log: [a-z ]+\. What was acknowledged is safe/

const storages: Storage[] = []
const children: Child[] = []
afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => child.stop('SIGKILL')))
  await Promise.all(storages.splice(0).map((storage) => storage.remove()))
})

async function start(storage: Storage, environment: Record<string, string> = {}): Promise<Child> {
  const child = await startChild(storage, environment)
  children.push(child)
  return child
}

async function under(load: Load, requests: number, child: Child): Promise<void> {
  const enough = load.answered() + requests
  let ended = false
  void child.exited.then(() => {
    ended = true
  })
  while (load.answered() < enough && !ended) await sleep(20)
}

/** Nothing but successes and 503s was answered, and all that was acknowledged is there after a restart. */
async function expectSafe(storage: Storage, load: Load): Promise<void> {
  expect(load.faults).toEqual([])
  const next = await start(storage)
  expect(await findLosses(next.origin, load)).toEqual([])
  expect(await next.stop('SIGTERM')).toEqual({ code: 0, signal: null })
}

describe('a disk that fails', () => {
  it.each([
    'EIO 1 base/',
    'ENOSPC 1 base/',
    'ENOSPC 3 base/',
    'EIO 7 base/',
    'EIO 1 pg_wal',
    'EIO 5 pg_wal',
    'ENOSPC 20 pg_wal',
    'EIO 2',
    'EIO 11',
    'EIO 50',
  ])('by the rule %s: what was acknowledged is there; it recovers, or ends and says why', async (rule) => {
    const storage = await newEmbedded()
    storages.push(storage)
    const ruleFile = join(storage.dataDir ?? '', 'rule')
    await writeFile(ruleFile, '')
    const child = await start(storage, {
      NODE_OPTIONS: `--import=${PRELOADED}`,
      FAILING_FOLDER: join(storage.dataDir ?? '', 'postgres'),
      FAILING_RULE: ruleFile,
    })
    const load = startLoad(child.origin, 'disk', CLIENTS)
    await under(load, 15, child)
    await writeFile(ruleFile, rule)
    await under(load, 40, child)
    await writeFile(ruleFile, '')
    const end = await Promise.race([child.exited, recovers(child)])
    await load.stop()
    console.info(`${rule}: ${end ? 'ended' : 'recovered'}, ${JSON.stringify(load.statuses)}`)
    if (end) expect(end).toEqual({ code: 1, signal: null })
    if (end) expect(child.output()).toMatch(SAYS_WHY)
    else await child.stop('SIGKILL')
    await expectSafe(storage, load)
  })
})

async function recovers(child: Child): Promise<void> {
  for (let i = 0; i < 100; i++) {
    const answer = await upload(child.origin, `again-${i}.md`, `# Again ${i}\n\nIt works again.`).catch(() => undefined)
    if (answer?.status === 200) return
    await sleep(200)
  }
  await child.stop('SIGKILL')
  throw new Error('It neither recovered nor ended')
}

/** A file system of this size in memory; undefined where this may not be made. */
function smallDisk(megabytes: number): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'small-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' })
    return folder
  } catch {
    return undefined
  }
}

describe('a disk that is full', () => {
  it('answers 503 or ends and says why; with more space all that was acknowledged is there', async ({ skip }) => {
    const disk = smallDisk(110)
    if (disk === undefined) return skip('this user may not mount a file system')
    const template = await newEmbedded()
    cpSync(template.dataDir ?? '', disk, { recursive: true })
    await template.remove()
    const storage: Storage = {
      environment: { DATA_DIR: disk, DATABASE_URL: '' },
      dataDir: disk,
      async remove() {
        execFileSync('umount', [disk])
        await rm(disk, { recursive: true })
      },
    }
    storages.push(storage)
    const child = await start(storage)
    const load = startLoad(child.origin, 'full', CLIENTS)
    await fill(child)
    await under(load, 20, child)
    await load.stop()
    // Telling those who wait takes it a moment.
    const ended = await Promise.race([child.exited.then(() => true), sleep(3_000).then(() => false)])
    console.info(`full: ${ended ? 'ended' : 'went on'}, ${JSON.stringify(load.statuses)}`)
    expect(ended || (load.statuses[503] ?? 0) > 0).toBe(true)
    if (ended) expect(child.output()).toMatch(SAYS_WHY)
    if (ended) expect(await child.exited).toEqual({ code: 1, signal: null })
    // Reading needs no space.
    else expect((await call(child.origin, 'GET', '/knowledge/stats')).status).toBe(200)
    await child.stop('SIGKILL')
    execFileSync('mount', ['-o', 'remount,size=400m', disk])
    await expectSafe(storage, load)
  })
})

/** Uploads until nothing fits any more, or the program ended over it. */
async function fill(child: Child): Promise<void> {
  let ended = false
  void child.exited.then(() => {
    ended = true
  })
  let refused = 0
  for (let i = 0; i < 400 && refused < 3 && !ended; i++) {
    const text = Array.from({ length: 400 }, (_, line) => `## Part ${line}\n\nWord${i}x${line} of page ${i}.\n`).join(
      '\n',
    )
    const answer = await upload(child.origin, `large-${i}.md`, text).catch(() => undefined)
    if (answer?.status === 503) refused++
    else if (answer && answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
  }
}
