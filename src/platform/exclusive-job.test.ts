import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, silentLog, type TestDatabase } from '../../test/support/test-database.ts'
import { createExclusiveJob, type ExclusiveJob, type JobRun } from './exclusive-job.ts'

const onServer = Boolean(process.env.TEST_DATABASE_URL)
const busy = expect.objectContaining({ kind: 'conflict', message: 'The sorting is running already' })

let database: TestDatabase
let job: ExclusiveJob
beforeAll(async () => {
  database = await createTestDatabase()
  job = createExclusiveJob(database.db, 'sorting', silentLog)
})
afterEach(async () => expect(await job.running()).toBeNull())
afterAll(() => database.close())

/** A run that goes on until it is told to end. */
function start(of: ExclusiveJob, signal?: AbortSignal) {
  const end = Promise.withResolvers<string>()
  const begun = Promise.withResolvers<JobRun>()
  const result = of.run(
    'apples',
    (run) => {
      begun.resolve(run)
      run.signal.addEventListener('abort', () => end.reject(run.signal.reason))
      return end.promise
    },
    signal,
  )
  result.catch(() => {})
  return { end, begun: begun.promise, result }
}

describe('a job', () => {
  it('gives back what its work gives, and runs again afterwards', async () => {
    expect(await job.run('a', async () => 1)).toBe(1)
    expect(await job.run('b', async () => 2)).toBe(2)
  })

  it('passes on how its work failed, and runs again afterwards', async () => {
    await expect(job.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await job.run('b', async () => 2)).toBe(2)
  })

  it('refuses a second run, and shows how far the first one is', async () => {
    const { begun, end, result } = start(job)
    const run = await begun
    run.progress(3, 10)
    expect(await job.running()).toMatchObject({ subject: 'apples', done: 3, total: 10, startedAt: expect.any(Date) })
    await expect(job.run('pears', async () => 1)).rejects.toEqual(busy)
    end.resolve('done')
    expect(await result).toBe('done')
  })

  it('stops when its caller does', async () => {
    const caller = new AbortController()
    const { begun, result } = start(job, caller.signal)
    await begun
    caller.abort()
    await expect(result).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it('is two jobs under two names', async () => {
    const other = createExclusiveJob(database.db, 'counting', silentLog)
    const { begun, end, result } = start(job)
    await begun
    expect(await other.run('pears', async () => 1)).toBe(1)
    end.resolve('done')
    await result
  })

  it('stops when the program ends, and starts no more', async () => {
    const closing = createExclusiveJob(database.db, 'closing', silentLog)
    const { begun, result } = start(closing)
    await begun
    await closing.close()
    await expect(result).rejects.toMatchObject({ kind: 'unavailable' })
    await expect(closing.run('more', async () => 1)).rejects.toMatchObject({ kind: 'unavailable' })
  })
})

describe.runIf(onServer)('on several replicas', () => {
  it('runs on one of them at a time, and the others see how far it is', async () => {
    const second = createExclusiveJob(await database.reopen(), 'sorting', silentLog)
    const { begun, end, result } = start(job)
    const run = await begun
    run.progress(4, 10)
    await expect(second.run('pears', async () => 1)).rejects.toEqual(busy)
    await expect
      .poll(() => second.running(), { timeout: 10_000 })
      .toMatchObject({ subject: 'apples', done: 4, total: 10 })
    end.resolve('done')
    await result
    expect(await second.run('pears', async () => 1)).toBe(1)
  })
})
