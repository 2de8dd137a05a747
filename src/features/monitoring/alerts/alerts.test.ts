import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createManualClock, type ManualClock } from '../../../../test/support/manual-clock.ts'
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.ts'
import { AppError } from '../../../kernel/errors.ts'
import { createBatchWriter } from '../../../platform/batch-writer.ts'
import { createBreaker } from '../../../platform/breaker.ts'
import type { Database } from '../../../platform/postgres/index.ts'
import { type AlertMessage, type AlertStep, type Alerts, createAlerts } from './alerts.ts'
import type { Finding, Level } from './types.ts'

const ALL = { level: null, source: null, state: null, since: null, limit: 1_000 }
const log = { warn: () => {} }
let database: TestDatabase
let clock: ManualClock
let sent: AlertMessage[]
let open: Alerts[]

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())
beforeEach(() => {
  clock = createManualClock()
  sent = []
  open = []
})
afterEach(() => Promise.all(open.map((alerts) => alerts.close())))

function replica(db: Database = database.db): Alerts {
  const openWriter = (write: (steps: readonly AlertStep[]) => Promise<void>) =>
    createBatchWriter<AlertStep>({ name: 'alerts', write, maxBatch: 1, intervalMs: 3_600_000, log })
  const alerts = createAlerts({ db, clock, openWriter, send: (message) => void sent.push(message) })
  open.push(alerts)
  return alerts
}

let serial = 0
function finding(fingerprint = `trouble ${serial++}`, level: Level = 'warn', source = 'test'): Finding {
  return { fingerprint, level, source, message: `about ${fingerprint}`, details: { value: 1 } }
}
const of = <T extends { fingerprint: string }>(list: T[], fingerprint: string): T[] =>
  list.filter((each) => each.fingerprint === fingerprint)

describe('alerts', () => {
  it('are one for the same trouble, on whichever replica, until it is over', async () => {
    const [one, two] = [replica(), replica()]
    const trouble = finding()
    one.raise(trouble)
    await one.flush()
    clock.advance(5_000)
    two.raise({ ...trouble, level: 'error', message: 'worse' })
    const [alert, ...others] = of(await two.list(ALL), trouble.fingerprint)
    expect(others).toEqual([])
    expect(alert).toMatchObject({ level: 'error', message: 'worse', count: 2, details: { value: 1 }, resolvedAt: null })
    expect(alert?.createdAt.toISOString()).toBe('2026-01-01T00:00:00.000Z')
    expect(alert?.lastSeenAt.toISOString()).toBe('2026-01-01T00:00:05.000Z')
    clock.advance(1_000)
    one.resolve(trouble.fingerprint)
    await one.flush()
    one.raise(trouble)
    const after = of(await one.list(ALL), trouble.fingerprint)
    expect(after).toMatchObject([
      { count: 1, resolvedAt: null },
      { count: 2, resolvedAt: new Date('2026-01-01T00:00:06Z') },
    ])
  })

  it('are sent when they are new and when they are over, not when they repeat', async () => {
    const alerts = replica()
    const trouble = finding()
    alerts.resolve(trouble.fingerprint)
    for (let i = 0; i < 3; i++) alerts.raise(trouble)
    alerts.touch(trouble.fingerprint)
    alerts.resolve(trouble.fingerprint)
    alerts.resolve(trouble.fingerprint)
    await alerts.flush()
    expect(sent.map(({ event, alert }) => [event, alert.count])).toEqual([
      ['raised', 1],
      ['resolved', 3],
    ])
  })

  it('about a database that is away are sent at once, and stored later under the same id', async () => {
    let isAway = true
    const alerts = replica(flaky(database.db, () => isAway))
    const trouble = finding()
    alerts.raise(trouble)
    alerts.raise(trouble)
    await alerts.flush()
    expect(sent).toMatchObject([{ event: 'raised', alert: { fingerprint: trouble.fingerprint, count: 1 } }])
    isAway = false
    const [stored] = of(await alerts.list(ALL), trouble.fingerprint)
    expect(stored).toMatchObject({ alertId: sent[0]?.alert.alertId, count: 2 })
    expect(sent).toHaveLength(1)
  })

  it('are found by level, source and time', async () => {
    const alerts = replica()
    const source = `source ${serial++}`
    alerts.raise(finding(undefined, 'info', source))
    clock.advance(60_000)
    const late = finding(undefined, 'critical', source)
    alerts.raise(late)
    const find = async (filter: Partial<typeof ALL> | { level: Level } | { since: Date }) =>
      (await alerts.list({ ...ALL, source: source as never, ...filter })).map(({ level }) => level)
    expect(await find({})).toEqual(['critical', 'info'])
    expect(await find({ level: 'info' })).toEqual(['info'])
    expect(await find({ since: new Date(clock.now()) })).toEqual(['critical'])
    expect(await find({ since: new Date(clock.now() + 1) })).toEqual([])
    expect(await find({ limit: 1 })).toEqual(['critical'])
    expect(await alerts.countOpen('critical')).toBe(1)
    alerts.resolve(late.fingerprint)
    expect(await alerts.countOpen('critical')).toBe(0)
  })

  it('follow a breaker', async () => {
    const alerts = replica()
    const name = `system-${serial++}`
    const options = { name, failureThreshold: 2, recoveryTimeoutMs: 1_000, clock, onChange: alerts.breakerChanged }
    const breaker = createBreaker(options)
    const fail = () => breaker.run(() => Promise.reject(new Error('down'))).catch(() => {})
    await fail()
    await fail()
    const fingerprint = `breaker:${name}`
    const read = async () => of(await alerts.list(ALL), fingerprint)
    expect(await read()).toMatchObject([{ level: 'error', source: 'circuit_breaker', count: 1, resolvedAt: null }])
    clock.advance(1_000)
    await fail()
    expect(await read()).toMatchObject([{ count: 2, resolvedAt: null }])
    clock.advance(1_000)
    await breaker.run(async () => 'fine')
    expect(await read()).toMatchObject([{ count: 2, resolvedAt: new Date(clock.now()) }])
  })

  it('agree with a list in memory over random sequences', async () => {
    const step = fc.record({
      do: fc.constantFrom('raise' as const, 'resolve' as const, 'touch' as const),
      which: fc.nat({ max: 2 }),
      replica: fc.nat({ max: 1 }),
    })
    const property = fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const source = `run ${serial++}`
      const replicas = [replica(), replica()] as const
      const model: Known[] = []
      for (const { do: action, which, replica: index } of steps) {
        clock.advance(1_000)
        const fingerprint = `${source} ${which}`
        const alerts = replicas[index === 0 ? 0 : 1]
        if (action === 'raise') alerts.raise(finding(fingerprint, 'warn', source))
        else alerts[action](fingerprint)
        await alerts.flush()
        apply(model, action, fingerprint)
      }
      const stored = await replicas[0].list({ ...ALL, source })
      const shown = stored.map(({ fingerprint, count, lastSeenAt, resolvedAt }) => ({
        fingerprint,
        count,
        seen: lastSeenAt.getTime(),
        resolved: resolvedAt?.getTime() ?? null,
      }))
      expect(shown).toEqual(model)
    })
    await fc.assert(property, { numRuns: 30 })
  })
})

interface Known {
  fingerprint: string
  count: number
  seen: number
  resolved: number | null
}

function apply(model: Known[], action: 'raise' | 'resolve' | 'touch', fingerprint: string): void {
  const now = clock.now()
  const current = model.find((each) => each.fingerprint === fingerprint && each.resolved === null)
  if (!current) {
    if (action === 'raise') model.unshift({ fingerprint, count: 1, seen: now, resolved: null })
    return
  }
  if (action === 'raise') current.count += 1
  if (action === 'resolve') current.resolved = now
  else current.seen = now
}

/** The same database, which rejects statements like one that is away. */
function flaky(db: Database, isAway: () => boolean): Database {
  const executor = new Proxy(db.executor, {
    get(target, property, receiver) {
      if (isAway() && property === 'getExecutor') throw new AppError('unavailable', 'database_unavailable', 'away')
      const value = Reflect.get(target, property, receiver)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { ...db, executor }
}
