import { expect, it } from 'vitest'
import { recognise } from './known-clusters.ts'
import type { KnownCluster } from './types.ts'

const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `t${from + n}`)
const known = (clusterId: string, ticketIds: string[], profile: Record<string, number> = {}): KnownCluster => {
  return { clusterId, solutionId: null, question: '', solution: '', profile, ticketIds }
}
const found = (ticketIds: string[], profile: Record<string, number> = {}) => ({ ticketIds, profile })
const summary = (recognised: ReturnType<typeof recognise>) =>
  recognised.map((each) => each && [each.known.clusterId, each.isFragment])

it('knows a problem again by its tickets, and by its words where the tickets are others', () => {
  const earlier = [known('a', ids(0, 10)), known('b', ids(10, 20), { lamp: 0.9, flicker: 0.4 })]
  const now = [
    found(ids(100, 110), { lamp: 0.8, flicker: 0.5 }),
    found(ids(2, 14)),
    found(ids(200, 210), { kettle: 1 }),
  ]
  expect(summary(recognise(now, earlier))).toEqual([['b', false], ['a', false], null])
})

it('goes on with each known problem once; what broke off is a fragment', () => {
  const earlier = [known('a', ids(0, 20))]
  const now = [found(ids(0, 6)), found(ids(6, 20)), found(ids(30, 33))]
  const recognised = recognise(now, earlier)
  expect(summary(recognised).filter((each) => each?.[1] === false)).toHaveLength(1)
  expect(summary(recognised).filter((each) => each?.[1] === true)).toHaveLength(1)
  expect(recognised[2]).toBeNull()
})

it('does not take a few shared tickets or words for the same problem', () => {
  const earlier = [known('a', ids(0, 10), { lamp: 0.3, wifi: 0.95 })]
  expect(recognise([found(ids(6, 20), { lamp: 0.9, flicker: 0.4 })], earlier)).toEqual([null])
})
