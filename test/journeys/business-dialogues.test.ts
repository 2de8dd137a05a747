import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compareWithKnown } from '../support/ratchet.ts'
import { wrongClaims } from './business-dialogues/claims.ts'
import { type Dialogue, type DialogueTurn, readDialogues } from './business-dialogues/dialogue.ts'
import { unexpectedChanges } from './business-dialogues/records.ts'
import { type Answer, openShop, type Shop } from './business-dialogues/shop.ts'

/**
 * Conversations of customers with the sample shop, over HTTP: what is said, exactly what it does to the records, and that
 * nothing is said to be done that is not, nor done without being said.
 * `known-failures.json` lists what fails today; it may only become shorter (`RATCHET=shrink` takes off what has healed).
 */
const FOLDER = join(import.meta.dirname, 'business-dialogues')
const KNOWN = join(FOLDER, 'known-failures.json')
const dialogues = readDialogues(FOLDER)

const SAYS_CALLED = /已为您呼叫|已在呼叫|have called a colleague|colleague has been called/i

interface Failure {
  /** The turn, from 1, and what is wrong with it. */
  check: string
  detail: string
}

describe('customers and the sample shop', () => {
  let shop: Shop
  let passed = 0
  const found: string[] = []

  beforeAll(async () => {
    shop = await openShop()
  })
  afterAll(async () => {
    await shop.close()
    console.log(
      `${passed} of ${dialogues.length} dialogues go as a good clerk would have them; ${found.length} checks fail`,
    )
  })

  it('are 70 dialogues at least, in both languages, each with an id of its own', () => {
    expect(dialogues.length).toBeGreaterThanOrEqual(70)
    expect(new Set(dialogues.map(({ id }) => id)).size).toBe(dialogues.length)
    for (const language of ['zh-', 'en-'])
      expect(dialogues.filter(({ id }) => id.startsWith(language)).length).toBeGreaterThanOrEqual(30)
  })

  it.each(dialogues.map((dialogue) => [dialogue.id, dialogue] as const))('%s', async (id, dialogue) => {
    const failures = await hold(shop, dialogue)
    if (failures.length === 0) passed += 1
    found.push(...failures.map(({ check }) => check))
    const checks = [...new Set(failures.map(({ check }) => check))]
    const { fresh, healed } = compareWithKnown(KNOWN, { [id]: checks }, (_, listed) => listed === id)
    const details = failures.filter(({ check }) => fresh.includes(`${id} ${check}`))
    expect(details, 'fails and is not listed').toEqual([])
    expect(healed, 'holds: take it off the list').toEqual([])
  })

  it('lists no dialogue that there is not', () => {
    const strays = compareWithKnown(KNOWN, {}, (_, id) => !dialogues.some((dialogue) => dialogue.id === id))
    expect(strays.healed).toEqual([])
  })
})

async function hold(shop: Shop, { id, customer, turns }: Dialogue): Promise<Failure[]> {
  const failures: Failure[] = []
  const initial = await shop.records()
  let before = initial
  for (const [index, turn] of turns.entries()) {
    shop.wait(turn.afterMinutes)
    const answer = await shop.say(`dialogue-${id}`, customer, turn.say)
    const after = await shop.records()
    const changes = unexpectedChanges(before, after, turn.does)
    const claims = wrongClaims(answer.reply, customer, before, after)
    const wrong = [
      ...wrongWith(turn, answer),
      ...changes.map((change) => ({ check: 'records', detail: change })),
      ...claims.map((claim) => ({ check: 'claim', detail: claim })),
    ]
    failures.push(
      ...wrong.map(({ check, detail }) => ({ check: `${index + 1} ${check}`, detail: `${turn.say} → ${detail}` })),
    )
    before = after
  }
  await shop.restore(initial)
  return failures
}

function wrongWith(turn: DialogueTurn, { reply, escalated, pending }: Answer): Failure[] {
  const missing = turn.has.filter((pattern) => !pattern.test(reply)).map((pattern) => `lacks ${pattern}`)
  const wrong = turn.not.filter((pattern) => pattern.test(reply)).map((pattern) => `holds ${pattern}`)
  const failures = [...missing, ...wrong].map((what) => ({ check: 'reply', detail: `${what}: ${reply}` }))
  const isCalled = turn.person === 'maybe' ? escalated : turn.person
  if (escalated !== isCalled || pending !== isCalled)
    failures.push({ check: 'person', detail: `escalated ${escalated}, pending ${pending}: ${reply}` })
  // Whoever is told that a person comes must get one, and whoever gets one must be told.
  if (SAYS_CALLED.test(reply) !== pending) failures.push({ check: 'promise', detail: `pending ${pending}: ${reply}` })
  return failures
}
