import fc, { type Scheduler } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../../../test/support/manual-clock.ts'
import { createReplyCache, type ReplyCache } from './reply-cache.ts'

/** Each document's text by its id, and one parameter. */
interface State {
  documents: Record<string, string>
  threshold: number
}
interface Reply {
  text: string
}

const QUESTIONS = ['a', 'b', 'c']

/** The knowledge base of the test: every text that mentions the question, and how it is tuned. */
function answerOf({ documents, threshold }: State, question: string): string {
  const texts = Object.values(documents).filter((text) => text.includes(question))
  return `${texts.sort().join(' ')} at ${threshold}`
}

const docId = fc.constantFrom('one', 'two', 'three')
const operation = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('ask' as const),
      question: fc.constantFrom(...QUESTIONS),
      replica: fc.integer({ min: 0, max: 1 }),
      ending: fc.constantFrom('keep', 'keep', 'keep', 'discard', 'fail'),
    }),
  },
  fc.record({ do: fc.constant('ingest' as const), docId, text: fc.constantFrom('a', 'b', 'c', 'a b', 'b c', 'a b c') }),
  fc.record({ do: fc.constant('rollBack' as const), steps: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ do: fc.constant('delete' as const), docId }),
  fc.record({ do: fc.constant('tune' as const), threshold: fc.integer({ min: 0, max: 2 }) }),
  fc.record({ do: fc.constant('invalidate' as const), replica: fc.integer({ min: 0, max: 1 }) }),
  fc.record({ do: fc.constant('notify' as const) }),
  fc.record({ do: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 40 }) }),
)
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never

/** Two replicas over one knowledge base, whose reads, computations and notifications end in any order. */
function createWorld(scheduler: Scheduler, count: (event: string) => void) {
  const history: State[] = [{ documents: { one: 'a b', two: 'c' }, threshold: 0 }]
  const clock = createManualClock()
  const later = (): Promise<void> => scheduler.schedule(Promise.resolve())
  const now = (): State => history.at(-1) as State
  const replicas: ReplyCache<Reply>[] = [0, 1].map(() =>
    createReplyCache<Reply>({
      limits: () => ({ ttlSeconds: 60, maxEntries: 2 }),
      async version() {
        await later()
        return String(history.length)
      },
      keyOf: (text) => text,
      isPersonal: () => false,
      textOf: ({ text }) => text,
      count,
      clock,
      maxWaitMs: 3_600_000,
    }),
  )
  /** Replicas that have not yet been told of a change, and may never be. */
  const unheard: ReplyCache<Reply>[] = []
  const change = (state: State): void => {
    history.push(state)
    unheard.push(...replicas)
  }
  return { history, clock, later, now, replicas, change, unheard }
}
type World = ReturnType<typeof createWorld>

async function ask(world: World, { question, replica, ending }: Extract<Operation, { do: 'ask' }>): Promise<void> {
  const since = world.history.length - 1
  const reply = await replyTo(world, world.replicas[replica] as ReplyCache<Reply>, question, ending)
  const said = world.history.slice(since).map((state) => answerOf(state, question))
  if (reply !== null) expect(said).toContain(reply)
}

async function replyTo(
  world: World,
  cache: ReplyCache<Reply>,
  question: string,
  ending: string,
): Promise<string | null> {
  const claim = await cache.claim({ text: question, scope: '' })
  if (claim.kind === 'hit') return claim.reply.text
  await world.later()
  const text = answerOf(world.now(), question)
  await world.later()
  if (claim.kind === 'bypass') return text
  if (ending === 'fail') {
    claim.fail()
    return null
  }
  if (ending === 'keep') claim.keep({ text })
  else claim.discard()
  return text
}

function perform(world: World, operation: Operation): Promise<void> | void {
  const { documents, threshold } = world.now()
  switch (operation.do) {
    case 'ask':
      return ask(world, operation)
    case 'ingest':
      return world.change({ documents: { ...documents, [operation.docId]: operation.text }, threshold })
    case 'rollBack':
      return world.change({ ...(world.history.at(-1 - operation.steps) ?? world.now()) })
    case 'delete': {
      const { [operation.docId]: _, ...rest } = documents
      return world.change({ documents: rest, threshold })
    }
    case 'tune':
      return world.change({ documents, threshold: operation.threshold })
    case 'invalidate':
      return void world.replicas[operation.replica]?.clear()
    case 'notify':
      return world.unheard.shift()?.sweep()
    case 'wait':
      return world.clock.advance(operation.seconds * 1_000)
  }
}

describe('the reply cache over random sequences of ask, ingest, roll back, delete and tune', () => {
  it('never serves what the knowledge base no longer said when the question was asked', async () => {
    let hits = 0
    const count = (event: string): void => {
      if (event === 'hit') hits += 1
    }
    // Those of one group happen at the same time, the groups one after the other.
    const groups = fc.array(fc.array(operation, { minLength: 1, maxLength: 5 }), { minLength: 2, maxLength: 15 })
    const property = fc.asyncProperty(fc.scheduler(), groups, async (scheduler, sequence) => {
      const world = createWorld(scheduler, count)
      for (const group of sequence) {
        const started = group.map((each) => scheduler.schedule(Promise.resolve()).then(() => perform(world, each)))
        await scheduler.waitIdle()
        await Promise.all(started)
      }
    })
    await fc.assert(property, { numRuns: 1_000 })
    // Or else it was proven of a cache that serves nothing.
    expect(hits).toBeGreaterThan(100)
  })
})
