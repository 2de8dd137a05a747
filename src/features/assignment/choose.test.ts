import { expect, it } from 'vitest'
import { chooseFor } from './choose.ts'
import type { Candidate, Team } from './types.ts'

const who = (name: string, openSessions: number, minute = 0): Candidate => ({
  name,
  openSessions,
  lastTakenAt: minute === 0 ? null : new Date(minute * 60_000),
})
const team = (name: string, members: string[], fields: Partial<Team> = {}): Team => ({
  teamId: name,
  name,
  members,
  channels: [],
  languages: [],
  ...fields,
})
const call = { channel: 'web', language: 'zh' } as const

it('goes to whoever has the fewest conversations, and was given nothing for longest', () => {
  const choose = (...candidates: Candidate[]) => chooseFor(call, { teams: [], candidates, maxOpen: 3 })
  expect(choose(who('a', 2), who('b', 1))).toBe('b')
  expect(choose(who('a', 1, 20), who('b', 1, 10))).toBe('b')
  expect(choose(who('a', 1, 20), who('b', 1))).toBe('b')
  expect(choose(who('a', 3), who('b', 3))).toBeNull()
  expect(choose()).toBeNull()
})

it('goes to the teams that are for it, and to everybody where none is', () => {
  const candidates = [who('ann', 0), who('li', 1), who('bo', 2)]
  const chinese = team('Chinese', ['li', 'bo'], { languages: ['zh'] })
  const wechat = team('WeChat', ['bo'], { channels: ['wechat'] })
  const choose = (asked: typeof call | { channel: string; language: 'en' }) =>
    chooseFor(asked, { teams: [chinese, wechat, team('all', ['ann'])], candidates, maxOpen: 3 })
  expect(choose(call)).toBe('li')
  expect(choose({ channel: 'wechat', language: 'en' })).toBe('bo')
  expect(choose({ channel: 'web', language: 'en' })).toBe('ann')
  expect(
    chooseFor(call, { teams: [team('away', ['nobody'], { languages: ['zh'] })], candidates, maxOpen: 3 }),
  ).toBeNull()
})
