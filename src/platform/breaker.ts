import { AppError } from '../kernel/errors.ts'
import type { Clock } from './clock.ts'

/** State machine after M. Nygard, "Release It!" (circuit breaker). */
export type BreakerState = 'CLOSED' | 'OPEN' | 'HALF_OPEN'

/** A finished call's word on the dependency: it works, it does not, or nothing (the caller left). */
export type Verdict = 'success' | 'failure' | 'neither'

/** The record that the observability endpoints show; times are ISO 8601 UTC. */
export interface BreakerStats {
  state: BreakerState
  /** Failures in a row; never above the threshold. */
  failure_count: number
  /** Since the start of the process, as `rejected_count` is. */
  success_count: number
  rejected_count: number
  failure_threshold: number
  recovery_timeout_seconds: number
  last_failure_time: string | null
  last_error: string | null
  opened_at: string | null
  next_attempt_at: string | null
}

export interface BreakerChange {
  name: string
  from: BreakerState
  to: BreakerState
  /** Milliseconds since the epoch. */
  at: number
  lastError: string | null
}

export interface BreakerOptions {
  name: string
  /** Failures in a row that open the breaker, at least 1. */
  failureThreshold: number
  /** How long an open breaker refuses before it lets one probe through, in milliseconds. */
  recoveryTimeoutMs: number
  clock: Clock
  /** Told of every change of state; must not throw. */
  onChange?: (change: BreakerChange) => void
}

/** One admitted call. Exactly the first of its verdicts counts; without any, a probe would block the breaker for good. */
export interface Permit {
  succeed(): void
  fail(error: unknown): void
  /** The call ended for a reason that says nothing about the dependency, such as a caller who left. */
  release(): void
}

export interface RunOptions {
  /** The caller's own signal: once it is aborted, how the call ends is no verdict. */
  signal?: AbortSignal
  /** Judges a thrown error; by default an `AbortError` is `neither` and anything else a `failure`. */
  judge?: (error: unknown) => Verdict
}

export type Breaker = ReturnType<typeof createBreaker>

/** Is this the refusal of an open breaker? */
export function isCircuitOpen(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'circuit_open'
}

export function createBreaker(options: BreakerOptions) {
  const machine: Machine = {
    ...options,
    state: 'CLOSED',
    epoch: 0,
    probing: false,
    failures: 0,
    successes: 0,
    rejections: 0,
    lastFailureAt: null,
    lastError: null,
    openedAt: null,
  }
  return {
    name: options.name,
    state: (): BreakerState => machine.state,
    /** For calls that outlive one promise, such as streams. Throws `AppError('unavailable', 'circuit_open')` when open. */
    acquire: () => acquire(machine),
    /** Runs `fn` and counts how it ended; rejects with the `circuit_open` error, without calling `fn`, when open. */
    run: <T>(fn: () => Promise<T>, runOptions?: RunOptions) => run(machine, fn, runOptions),
    /** By hand: back to CLOSED, with the failure counter at 0. Calls still under way no longer move the state. */
    reset: () => transition(machine, 'CLOSED'),
    stats: () => statsOf(machine),
  }
}

interface Machine extends BreakerOptions {
  state: BreakerState
  /**
   * Every transition starts a new epoch; a permit of an earlier epoch no longer moves the state, so that a slow call from
   * before an outage neither closes the breaker that the outage opened nor opens the one that recovered since.
   */
  epoch: number
  probing: boolean
  failures: number
  successes: number
  rejections: number
  lastFailureAt: number | null
  lastError: string | null
  openedAt: number | null
}

function nextAttemptAt(machine: Machine): number {
  return (machine.openedAt ?? 0) + machine.recoveryTimeoutMs
}

function transition(machine: Machine, to: BreakerState): void {
  const { state: from, name, clock } = machine
  machine.state = to
  machine.epoch += 1
  machine.probing = false
  if (to === 'OPEN') machine.openedAt = clock.now()
  if (to === 'CLOSED') {
    machine.openedAt = null
    machine.failures = 0
  }
  if (from !== to) machine.onChange?.({ name, from, to, at: clock.now(), lastError: machine.lastError })
}

function countFailure(machine: Machine): void {
  machine.failures = Math.min(machine.failures + 1, machine.failureThreshold)
  if (machine.state === 'HALF_OPEN' || machine.failures >= machine.failureThreshold) transition(machine, 'OPEN')
}

function countSuccess(machine: Machine): void {
  machine.failures = 0
  if (machine.state === 'HALF_OPEN') transition(machine, 'CLOSED')
}

/** Also when the clock was set back: the time of the next attempt may be years ahead then. */
function isDue(machine: Machine): boolean {
  const now = machine.clock.now()
  return now >= nextAttemptAt(machine) || now < (machine.openedAt ?? 0)
}

function acquire(machine: Machine): Permit {
  if (machine.state === 'OPEN' && isDue(machine)) transition(machine, 'HALF_OPEN')
  if (machine.state === 'OPEN' || machine.probing) reject(machine)
  machine.probing = machine.state === 'HALF_OPEN'
  return permitOf(machine, machine.epoch)
}

function reject(machine: Machine): never {
  machine.rejections += 1
  const waitMs = machine.state === 'OPEN' ? nextAttemptAt(machine) - machine.clock.now() : 0
  throw new AppError('unavailable', 'circuit_open', `${machine.name} is unavailable for the moment`, {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
  })
}

function permitOf(machine: Machine, epoch: number): Permit {
  let settled = false
  const settle = (note: () => void, count: (machine: Machine) => void): void => {
    if (settled) return
    settled = true
    note()
    if (epoch !== machine.epoch) return
    machine.probing = false
    count(machine)
  }
  return {
    succeed: () =>
      settle(() => {
        machine.successes += 1
      }, countSuccess),
    fail: (error) =>
      settle(() => {
        machine.lastFailureAt = machine.clock.now()
        machine.lastError = publicReason(error)
      }, countFailure),
    release: () => settle(nothing, nothing),
  }
}

async function run<T>(machine: Machine, fn: () => Promise<T>, options: RunOptions = {}): Promise<T> {
  const permit = acquire(machine)
  try {
    const result = await fn()
    permit.succeed()
    return result
  } catch (error) {
    const verdict = verdictOn(error, options)
    if (verdict === 'success') permit.succeed()
    else if (verdict === 'failure') permit.fail(error)
    else permit.release()
    throw error
  }
}

function statsOf(machine: Machine): BreakerStats {
  return {
    state: machine.state,
    failure_count: machine.failures,
    success_count: machine.successes,
    rejected_count: machine.rejections,
    failure_threshold: machine.failureThreshold,
    recovery_timeout_seconds: machine.recoveryTimeoutMs / 1000,
    last_failure_time: isoOrNull(machine.lastFailureAt),
    last_error: machine.lastError,
    opened_at: isoOrNull(machine.openedAt),
    next_attempt_at: machine.state === 'OPEN' ? isoOrNull(nextAttemptAt(machine)) : null,
  }
}

export type BreakerRegistry = ReturnType<typeof createBreakerRegistry>

const breakerNames = ['llm', 'embedding', 'rerank', 'business', 'database', 'wechat', 'dingtalk'] as const

/** All breakers of the process. Those of `breakerNames` exist from the start, so that they can be seen before any call. */
export function createBreakerRegistry(options: Pick<BreakerOptions, 'clock'> & Partial<Omit<BreakerOptions, 'name'>>) {
  const { failureThreshold = 5, recoveryTimeoutMs = 30_000, ...shared } = options
  const breakers = new Map<string, Breaker>()
  /** The breaker of that name; the first request for a name creates it. */
  const get = (name: string): Breaker => {
    const known = breakers.get(name)
    if (known) return known
    const created = createBreaker({ name, failureThreshold, recoveryTimeoutMs, ...shared })
    breakers.set(name, created)
    return created
  }
  for (const name of breakerNames) get(name)
  return {
    get,
    /** Every breaker's record by name, in order of creation. */
    stats: (): Record<string, BreakerStats> =>
      Object.fromEntries([...breakers].map(([name, breaker]) => [name, breaker.stats()])),
    /** Sets one breaker to CLOSED; false when there is none of that name. */
    reset(name: string): boolean {
      breakers.get(name)?.reset()
      return breakers.has(name)
    },
  }
}

function verdictOn(error: unknown, options: RunOptions): Verdict {
  if (options.signal?.aborted) return 'neither'
  if (options.judge) return options.judge(error)
  return error instanceof Error && error.name === 'AbortError' ? 'neither' : 'failure'
}

/** The statistics are readable without a key, so only texts meant for the public and error codes get into them. */
function publicReason(error: unknown): string {
  if (error instanceof AppError) return error.message.slice(0, 200)
  if (!(error instanceof Error)) return 'unknown error'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  return code.slice(0, 80)
}

function nothing(): void {}

function isoOrNull(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString()
}
