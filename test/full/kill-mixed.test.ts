import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Child, newEmbedded, type Storage, startChild } from '../contract/support/child.ts'
import { between, chooseSeed, type Random, randomFrom } from '../contract/support/random.ts'
import { call, upload } from './support/client.ts'
import { findMarked } from './support/mixed-documents.ts'
import { markOfSolution, type Solution, solutionText } from './support/mixed-people.ts'
import { checkWorld, newWorld, type World, workers } from './support/mixed-work.ts'

/** How often it is killed. */
const ROUNDS = Number(process.env.KILL_ROUNDS || 100)
/** Answers before a kill at the most, and then so long. */
const MOST_ANSWERS = 25
const LONGEST_DELAY_MS = 100

let storage: Storage
let folder: string
beforeAll(async () => {
  storage = await newEmbedded()
  folder = await realpath(await mkdtemp(join(tmpdir(), 'kill-mixed-')))
})
afterAll(async () => {
  await storage.remove()
  await rm(folder, { recursive: true, force: true })
})

describe('SIGKILL', () => {
  it(`${ROUNDS} times during uploads, rollbacks, deletions, approvals, chats and updates: nothing acknowledged is lost, each document has one active version, and as much is found as in a new base`, {
    timeout: 7_200_000,
  }, async () => {
    const seed = chooseSeed()
    console.info(`Killed with TEST_SEED=${seed}`)
    const random = randomFrom(seed)
    const world = newWorld(join(folder, 'files'))
    const startsMs: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const child = await startChild(storage)
      startsMs.push(child.startedInMs)
      await orKill(child, () => checkWorld(child.origin, world))
      await workUntilKilled(child, world, random)
    }
    const child = await startChild(storage)
    await orKill(child, async () => {
      await checkWorld(child.origin, world)
      await expectAsRebuilt(child, world)
    })
    expect(await child.stop('SIGTERM')).toEqual({ code: 0, signal: null })
    console.info({
      rounds: ROUNDS,
      acknowledged: world.acknowledged,
      revisions: world.revision,
      solutions: world.solutions.length,
    })
    expect(world.acknowledged).toBeGreaterThan(ROUNDS)
  })
})

async function orKill(child: Child, work: () => Promise<void>): Promise<void> {
  await work().catch(async (error: unknown) => {
    await child.stop('SIGKILL')
    throw error
  })
}

async function workUntilKilled(child: Child, world: World, random: Random): Promise<void> {
  let killed = false
  let answersToCome = between(random, 1, MOST_ANSWERS)
  const enough = Promise.withResolvers<void>()
  const working = Promise.all(
    workers(child.origin, world, random).map(async (step) => {
      while (!killed) {
        const failure = await step().catch((error: unknown) => error)
        // Before the kill nothing may fail.
        if (failure !== undefined && !killed) throw failure
        if (failure === undefined) world.acknowledged++
        if (--answersToCome === 0) enough.resolve()
      }
    }),
  )
  try {
    await Promise.race([enough.promise, working])
    await sleep(between(random, 0, LONGEST_DELAY_MS))
  } finally {
    killed = true
    await child.stop('SIGKILL')
  }
  await working
}

/** A base into which only what is valid now was put finds the same, with the same best passages. */
async function expectAsRebuilt(child: Child, world: World): Promise<void> {
  const fresh = await newEmbedded()
  const rebuilt = await startChild(fresh)
  try {
    const solutions = world.solutions.filter(({ approval }) => approval === 'acknowledged')
    await rebuild(rebuilt.origin, world, solutions)
    const stats = (origin: string) => call(origin, 'GET', '/knowledge/stats').then(({ body }) => body)
    const [is, should] = [await stats(child.origin), await stats(rebuilt.origin)]
    expect([is.total_documents, is.total_chunks]).toEqual([should.total_documents, should.total_chunks])
    const marks = [...world.documents, ...world.files].map(({ mark }) => mark)
    for (const mark of [...marks, ...solutions.map(markOfSolution)]) {
      const contents = async (origin: string) => (await findMarked(origin, mark)).map(({ content }) => content)
      const [found, expected] = [await contents(child.origin), await contents(rebuilt.origin)]
      expect(found[0], mark).toBe(expected[0])
      expect(found.toSorted(), mark).toEqual(expected.toSorted())
    }
  } finally {
    await rebuilt.stop('SIGKILL')
    await fresh.remove()
  }
}

async function rebuild(origin: string, world: World, solutions: readonly Solution[]): Promise<void> {
  for (const { source, acknowledged } of world.documents)
    if (acknowledged !== null) await upload(origin, source, acknowledged)
  for (const solution of solutions) {
    const { body } = await call(origin, 'POST', '/escalation/solution', solutionText(solution))
    expect((await call(origin, 'POST', `/escalation/solutions/${body.solution_id}/approve`)).status).toBe(200)
  }
  // The last update may have been cut off: the files are put back to what it got to.
  for (const { source, acknowledged } of world.files)
    await (acknowledged === null
      ? rm(join(world.folder, source), { force: true })
      : writeFile(join(world.folder, source), acknowledged))
  if (world.files.some(({ acknowledged }) => acknowledged !== null))
    expect((await call(origin, 'POST', '/update/full', { dir_path: world.folder })).status).toBe(200)
}
