import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createInbox } from '../../../test/support/stub-server.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts'
import { notify } from './index.ts'

let test: TestDatabase
const unlisten: (() => Promise<void>)[] = []
beforeAll(async () => {
  test = await createTestDatabase()
})
afterEach(async () => {
  for (const stop of unlisten.splice(0)) await stop()
})
afterAll(() => test.close())

async function inboxOf(channel: string) {
  const inbox = createInbox<string>()
  unlisten.push(await test.db.listen(channel, (payload) => inbox.add(payload)))
  return inbox
}
const send = (channel: string, payload: string) => notify(test.db, test.db.executor, channel, payload)

describe('a notification', () => {
  it('arrives with its payload, in order', async () => {
    const inbox = await inboxOf('orders')
    for (const payload of ['a', '', '你好 "quoted" \\ $1', 'x'.repeat(7_900)]) await send('orders', payload)
    expect(await inbox.waitFor(4)).toEqual(['a', '', '你好 "quoted" \\ $1', 'x'.repeat(7_900)])
  })

  it('arrives when the transaction commits, and not before', async () => {
    const inbox = await inboxOf('committed')
    await test.db.transaction(async (trx) => {
      await notify(test.db, trx, 'committed', 'later')
      await sleep(50)
      expect(inbox.all).toEqual([])
    })
    expect(await inbox.waitFor(1)).toEqual(['later'])
  })

  it('never arrives when the transaction is rolled back', async () => {
    const inbox = await inboxOf('rolled_back')
    const work = test.db.transaction(async (trx) => {
      await notify(test.db, trx, 'rolled_back', 'never')
      throw new Error('planted')
    })
    await expect(work).rejects.toThrow('planted')
    await send('rolled_back', 'afterwards')
    expect(await inbox.waitFor(1)).toEqual(['afterwards'])
  })

  it('is heard by many that begin and stop to listen at once', async () => {
    const warnings: Error[] = []
    const onWarning = (warning: Error) => warnings.push(warning)
    process.on('warning', onWarning)
    const names = Array.from({ length: 8 }, (_, index) => `many_${index}`)
    const inboxes = await Promise.all(names.map(inboxOf))
    await Promise.all(names.map((name) => send(name, name)))
    for (const [index, inbox] of inboxes.entries()) expect(await inbox.waitFor(1)).toEqual([names[index]])
    await Promise.all(unlisten.splice(0).map((stop) => stop()))
    process.off('warning', onWarning)
    expect(warnings).toEqual([])
  })

  it('is heard by every handler of its channel, until each stops', async () => {
    const [first, second] = [await inboxOf('shared'), await inboxOf('shared')]
    await send('shared', 'both')
    expect(await first.waitFor(1)).toEqual(['both'])
    expect(await second.waitFor(1)).toEqual(['both'])
    await unlisten.shift()?.()
    await send('shared', 'one')
    expect(await second.waitFor(2)).toEqual(['both', 'one'])
    expect(first.all).toEqual(['both'])
  })

  it('is heard by who begins while the last one before stops, and a handler may stop twice', async () => {
    for (let round = 0; round < 20; round++) {
      const leave = await test.db.listen('changing', () => {})
      const ending = leave()
      const inbox = createInbox<string>()
      const stop = await test.db.listen('changing', (payload) => inbox.add(payload))
      await Promise.all([ending, leave()])
      await send('changing', String(round))
      expect(await inbox.waitFor(1, 2_000)).toEqual([String(round)])
      await stop()
    }
  })

  it('reaches a listener that began during a transaction which was rolled back', async () => {
    const started = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const work = test.db.transaction(async (trx) => {
      await sql`select 1`.execute(trx)
      started.resolve()
      await release.promise
      throw new Error('planted')
    })
    await started.promise
    const listening = inboxOf('during')
    await sleep(20)
    release.resolve()
    await expect(work).rejects.toThrow('planted')
    const inbox = await listening
    await send('during', 'heard')
    expect(await inbox.waitFor(1, 2_000)).toEqual(['heard'])
  })

  it('goes to its channel alone', async () => {
    const [left, right] = [await inboxOf('left'), await inboxOf('right')]
    await send('left', '1')
    await send('right', '2')
    expect(await left.waitFor(1)).toEqual(['1'])
    expect(await right.waitFor(1)).toEqual(['2'])
  })

  it('stops when nobody listens any more', async () => {
    const inbox = await inboxOf('ended')
    const control = await inboxOf('control')
    await unlisten.shift()?.()
    await send('ended', 'x')
    await send('control', 'x')
    await control.waitFor(1)
    expect(inbox.all).toEqual([])
  })
})
