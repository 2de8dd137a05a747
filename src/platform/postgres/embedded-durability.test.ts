import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { scratchFolder } from '../../../test/support/scratch.ts'
import { createDurability, type Durability } from './embedded-durability.ts'
import { holdAnswers } from './held-answers.ts'
import { LogState } from './log-state.ts'

let durability: Durability | undefined
let descriptor: number | undefined
let folder = ''
afterEach(async () => {
  await durability?.stop()
  if (descriptor !== undefined) closeSync(descriptor)
  durability = undefined
  descriptor = undefined
  rmSync(folder, { recursive: true, force: true })
})

function open(sync: 'second' | 'commit', failures: unknown[] = []): number {
  durability = createDurability(sync, (error) => failures.push(error))
  folder = mkdtempSync(join(scratchFolder(), 'durability-'))
  descriptor = openSync(join(folder, 'log'), 'w')
  return descriptor
}

const answered = (): Promise<void> => new Promise((resolve) => durability?.answer(resolve))

it('sends every answer, in their order, however fast the disk is', { timeout: 120_000 }, async () => {
  const file = open('commit')
  const sent: number[] = []
  for (let i = 0; i < 20_000; i += 2) {
    writeSync(file, 'x')
    durability?.flush(file)
    durability?.answer(() => sent.push(i))
    durability?.answer(() => sent.push(i + 1))
    if (i % 3 === 0) await answered()
  }
  await answered()
  expect(sent).toEqual(Array.from({ length: 20_000 }, (_, i) => i))
})

it('lets answers go at once when a second may pass, and has them on the disk when it stops', async () => {
  const file = open('second')
  let sent = 0
  for (let i = 0; i < 100; i++) {
    durability?.flush(file)
    durability?.answer(() => sent++)
  }
  expect(sent).toBe(100)
})

it('tells of a disk that fails', async () => {
  const failures: unknown[] = []
  open('second', failures)
  durability?.flush(1_000_000)
  await expect.poll(() => failures, { timeout: 30_000 }).toMatchObject([{ code: 'EBADF' }])
  durability = undefined
})

it('goes on when the disk was ready just after an answer was told to wait', async () => {
  const state = new LogState()
  const sent: number[] = []
  const answers = holdAnswers(state, () => {
    state.reached(state.wanted())
    return true
  })
  for (let i = 0; i < 3; i++) {
    state.want(1)
    answers.send(() => sent.push(i))
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(sent).toEqual([0, 1, 2])
})
