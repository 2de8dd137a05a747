import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { openDatabase } from '../../src/platform/postgres/index.ts'
import { copyOfTemplate, silentLog } from '../../test/support/test-database.ts'
import { requestCopy } from './live-copy.ts'

// `test/full/each-change/backup.test.ts` backs up a service at work.
const folders: string[] = []
afterEach(() => Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true }))))

it('hands out one copy at a time and removes it when whoever asked is gone', async () => {
  const { dataDir, db } = await openHere()
  const copy = await requestCopy(dataDir)
  expect(existsSync(join(copy.folder, 'PG_VERSION'))).toBe(true)
  await expect(requestCopy(dataDir)).rejects.toThrow('another backup is being made')
  copy.release()
  while (existsSync(copy.folder)) await sleep(10)

  const second = await requestCopy(dataDir)
  await db.close()
  await new Promise((resolve) => (second.lost.aborted ? resolve(null) : second.lost.addEventListener('abort', resolve)))
  expect((await readdir(dataDir)).sort()).toEqual(['.lock', 'holder', 'lock', 'postgres'])
})

it('clears away what a killed service left, and starts', async () => {
  const { dataDir, db } = await openHere(async (folder) => {
    await mkdir(join(folder, 'snapshot'))
    await writeFile(join(folder, 'snapshot', 'half'), 'a copy')
    await writeFile(join(folder, 'snapshot.sock'), '')
  })
  expect(existsSync(join(dataDir, 'snapshot'))).toBe(false)
  const copy = await requestCopy(dataDir)
  copy.release()
  await db.close()
})

async function openHere(prepare: (dataDir: string) => Promise<void> = async () => {}) {
  const dataDir = await copyOfTemplate()
  folders.push(dataDir)
  await prepare(dataDir)
  return { dataDir, db: await openDatabase({ dataDir, log: silentLog }) }
}
