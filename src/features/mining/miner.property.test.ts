import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAnalyser } from '../../language/words/analyser.ts'
import { createMiner } from './miner.ts'
import type { MinedTicket } from './types.ts'

const analyser = createAnalyser()
const PROBLEMS: readonly (readonly string[])[] = [
  ['parcel', 'lost', 'courier', 'tracking', 'stuck'],
  ['invoice', 'company', 'name', 'wrong', 'reissue'],
  ['coffee', 'grinder', 'noise', 'burning', 'smell'],
  ['发票', '抬头', '写错', '重开'],
  ['快递', '三天', '没有', '更新', '物流'],
]
const FRAMES = ['Hello, about {}', 'Question: {}?', '{} please help', 'Problem with {} again', 'My {}']

/** Tickets about known problems: four words in five of a problem, in any order. */
const tickets = fc
  .array(fc.record({ problem: fc.nat(PROBLEMS.length - 1), frame: fc.nat(FRAMES.length - 1), seed: fc.nat(1000) }), {
    minLength: 0,
    maxLength: 60,
  })
  .map((list) =>
    list.map(({ problem, frame, seed }, i): MinedTicket => {
      const words = PROBLEMS[problem] as readonly string[]
      const dropped = seed % words.length
      const said = words.filter((_, at) => at !== dropped)
      const turned = [...said.slice(seed % said.length), ...said.slice(0, seed % said.length)]
      const content = (FRAMES[frame] as string).replace('{}', turned.join(' '))
      return { ticketId: `${problem}-${i}`, subject: '', content, solution: `Solution ${problem}`, category: '' }
    }),
  )

function mine(list: readonly MinedTicket[], minFrequency = 3) {
  const miner = createMiner({ wordsOf: (text) => analyser.words(text) })
  for (const ticket of list) miner.add(ticket)
  return miner.finish({ minFrequency, maxClusters: 50 })
}

describe('mining whatever tickets there are', () => {
  it('puts every ticket in one cluster at most, and counts them', () => {
    fc.assert(
      fc.property(tickets, (list) => {
        const { clusters } = mine(list)
        const placed = clusters.flatMap(({ ticketIds }) => ticketIds)
        expect(new Set(placed).size).toBe(placed.length)
        for (const { ticketIds, frequency } of clusters) {
          expect(frequency).toBe(ticketIds.length)
          expect(frequency).toBeGreaterThanOrEqual(3)
        }
      }),
      { numRuns: 40 },
    )
  })

  it('finds the same whatever the order in which the tickets came', () => {
    const shape = (list: readonly MinedTicket[]) =>
      mine(list)
        .clusters.map(({ ticketIds }) => ticketIds.toSorted().join(' '))
        .toSorted()
    fc.assert(
      fc.property(
        tickets.chain((list) =>
          fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length })),
        ),
        ([list, shuffled]) => {
          expect(shape(shuffled)).toEqual(shape(list))
        },
      ),
      { numRuns: 30 },
    )
  })

  it('tells problems apart in both languages, however they are worded', () => {
    const list = PROBLEMS.flatMap((words, problem) =>
      FRAMES.map((frame, i): MinedTicket => {
        const said = words.filter((_, at) => at !== i % words.length).join(' ')
        return {
          ticketId: `${problem}-${i}`,
          subject: '',
          content: frame.replace('{}', said),
          solution: '',
          category: '',
        }
      }),
    )
    const found = mine(list).clusters.map(({ ticketIds }) => ticketIds.toSorted().join(' '))
    const planted = PROBLEMS.map((_, problem) => FRAMES.map((_, i) => `${problem}-${i}`).join(' '))
    expect(found.toSorted()).toEqual(planted)
  })
})
