import { between, pick, type Random } from '../../contract/support/random.ts'
import {
  checkDocument,
  followFolder,
  markOf,
  publish,
  remove,
  rollBack,
  type Tracked,
  tracked,
} from './mixed-documents.ts'
import { approve, checkSolution, checkTalk, type Solution, say, submit, type Talk } from './mixed-people.ts'

const DOCUMENTS = 12
const FILES = 6
const TALKS = 3

/** All that clients work on, and what must be true of it. */
export interface World {
  readonly folder: string
  readonly documents: Tracked[]
  readonly files: Tracked[]
  readonly talks: Talk[]
  readonly solutions: Solution[]
  revision: number
  acknowledged: number
}

export function newWorld(folder: string): World {
  const make = <T>(count: number, one: (number: number) => T): T[] => Array.from({ length: count }, (_, i) => one(i))
  return {
    folder,
    documents: make(DOCUMENTS, (i) => tracked(`guide-${i}.md`, markOf('d', i))),
    files: make(FILES, (i) => tracked(`file-${i}.md`, markOf('f', i))),
    talks: make(TALKS, (i) => ({ session: `talk-${i}-0`, acknowledged: 0, replied: 0, sent: 0 })),
    solutions: [],
    revision: 0,
    acknowledged: 0,
  }
}

/** Everybody's next step; no two of them touch the same thing, so each thing has one order of events. */
export function workers(origin: string, world: World, random: Random): (() => Promise<void>)[] {
  const half = DOCUMENTS / 2
  return [
    () => changeDocument(origin, world, pick(random, world.documents.slice(0, half)), random),
    () => changeDocument(origin, world, pick(random, world.documents.slice(half)), random),
    () => followFolder(origin, world.folder, world.files, random, ++world.revision),
    () => talk(origin, world, between(random, 0, TALKS - 1)),
    () => review(origin, world, random),
  ]
}

async function changeDocument(origin: string, world: World, entry: Tracked, random: Random): Promise<void> {
  const draw = random()
  if (entry.acknowledged !== null && draw < 0.3) await rollBack(origin, entry, random)
  else if (entry.acknowledged !== null && draw < 0.4) await remove(origin, entry)
  else await publish(origin, entry, ++world.revision)
}

async function talk(origin: string, world: World, index: number): Promise<void> {
  const current = world.talks[index] as Talk
  if (current.acknowledged < 20) return say(origin, current)
  const next = { session: `talk-${index}-${world.talks.length}`, acknowledged: 0, replied: 0, sent: 0 }
  world.talks[index] = next
  world.talks.push(current)
  await say(origin, next)
}

async function review(origin: string, world: World, random: Random): Promise<void> {
  const waiting = world.solutions.filter(({ id, approval }) => id !== undefined && approval === 'none')
  if (waiting.length > 0 && random() < 0.6) return approve(origin, pick(random, waiting))
  const solution: Solution = { number: world.solutions.length, id: undefined, approval: 'none' }
  world.solutions.push(solution)
  await submit(origin, solution)
}

/** Checks all of it; what a kill left open is settled as it is found. */
export async function checkWorld(origin: string, world: World): Promise<void> {
  for (const entry of [...world.documents, ...world.files]) await checkDocument(origin, entry)
  for (const each of world.talks) await checkTalk(origin, each)
  for (const solution of world.solutions) await checkSolution(origin, solution)
}
