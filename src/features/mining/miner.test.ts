import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAnalyser } from '../../language/words/analyser.ts'
import { createMiner, groupTickets } from './miner.ts'
import { createTicketStore } from './reading/ticket-store.ts'
import type { MinedTicket } from './types.ts'

const analyser = createAnalyser()
const LIMITS = { minFrequency: 3, maxClusters: 100 }

const PROBLEMS: Record<string, readonly string[]> = {
  'en lamp': ['The desk lamp flickers', 'My desk lamp keeps flickering', 'Why does the desk lamp flicker all day?'],
  'en remote': [
    'The projector remote does not pair',
    'How do I pair the projector remote?',
    'Projector remote: no pairing',
  ],
  'en kettle': [
    'The kettle smells of plastic',
    'A plastic smell from the kettle',
    'How do I get the plastic smell out of the kettle?',
  ],
  'zh lamp': ['台灯一直闪烁', '台灯的灯光闪烁不停', '为什么台灯会闪烁？'],
  'zh refund': ['退款一直没到账', '退货的退款什么时候到账？', '退款还没有到账'],
}
const GREETINGS = ['', 'Hello, ', '您好，']

/** Each phrasing of each problem twice, with other greetings, and one ticket about nothing. */
const TICKETS: (MinedTicket & { problem: string })[] = Object.entries(PROBLEMS).flatMap(([problem, phrasings]) =>
  [...phrasings, ...phrasings].map((text, n) => ({
    ticketId: `${problem} ${n}`,
    subject: '',
    content: `${GREETINGS[n % 3]}${text}`,
    solution: n % 2 === 0 ? '' : `What helps: ${problem}, with a few words more about how it is done`,
    category: problem.slice(3),
    problem,
  })),
)

function groupsOf(tickets: readonly MinedTicket[]): Map<string, number> {
  const store = createTicketStore(analyser.words)
  for (const ticket of tickets) store.add(ticket)
  const { texts, numbers } = groupTickets(store, {})
  const all = texts.flatMap(({ tickets: own }, text) =>
    own.map((at) => [tickets[at]!.ticketId, numbers[text]!] as const),
  )
  return new Map(all)
}

function mine(tickets: readonly MinedTicket[], limits = LIMITS) {
  const miner = createMiner({ wordsOf: analyser.words })
  for (const ticket of tickets) miner.add(ticket)
  return miner.finish(limits)
}

describe('mining', () => {
  it('finds how many problems there are, in both languages', () => {
    const { clusters, leftOut } = mine(TICKETS)
    const found = clusters.map(({ ticketIds }) => [...new Set(ticketIds.map((id) => id.replace(/ \d+$/, '')))])
    expect(found.flat().toSorted()).toEqual(Object.keys(PROBLEMS).toSorted())
    expect(clusters.map(({ frequency }) => frequency)).toEqual([6, 6, 6, 6, 6])
    expect(leftOut).toBe(0)
  })

  it('describes each by what its tickets say', () => {
    for (const { question, ticketIds, solutionTicketId, keywords, categories } of mine(TICKETS).clusters) {
      const own = TICKETS.filter(({ ticketId }) => ticketIds.includes(ticketId))
      const told = question.replace(/(?:: what can I do|，怎么办)?[?？]$/, '')
      const said = own.map(({ content }) => content.replace(/^(?:Hello, |您好，)/, '').replace(/[?？]$/, ''))
      expect(said).toContain(told)
      expect(own.find(({ ticketId }) => ticketId === solutionTicketId)?.solution).not.toBe('')
      expect(own.some(({ content }) => keywords.some((word) => content.toLowerCase().includes(word)))).toBe(true)
      expect(categories).toEqual([own[0]?.category])
    }
  })

  it('puts every ticket into one group, the same ones whatever the order in which tickets came', () => {
    const canonical = (groups: Map<string, number>): string[] => {
      const members = Map.groupBy(groups.keys(), (id) => groups.get(id))
      return [...members.values()].map((ids) => ids.toSorted().join()).toSorted()
    }
    const usual = groupsOf(TICKETS)
    expect(usual.size).toBe(TICKETS.length)
    fc.assert(
      fc.property(fc.shuffledSubarray(TICKETS, { minLength: TICKETS.length }), (tickets) => {
        expect(canonical(groupsOf(tickets))).toEqual(canonical(usual))
      }),
      { numRuns: 20 },
    )
  })

  it('reads no meaning out of the few words that it knows of another language', () => {
    const store = createTicketStore(analyser.words)
    const spoken = [
      'The app crashes at the checkout',
      'App 一结算就闪退',
      'Die Bezahlung in der App stürzt laufend ab',
      'Aplikacja zawiesza się przy kasie',
    ]
    for (const content of spoken) store.add({ ...TICKETS[0]!, content })
    const isKnown = store.tickets.map(({ sentences }) => store.meaningOf(sentences).some((value) => value !== 0))
    expect(isKnown).toEqual([true, true, false, false])
  })

  it('says how many tickets belong nowhere, and shows some of them', () => {
    const say = (ticketId: string, content: string): MinedTicket => ({ ...TICKETS[0]!, ticketId, content })
    const odd = [
      say('odd 1', 'My parrot has learned your jingle'),
      say('odd 2', 'Greetings from Lisbon to all of you'),
      say('odd 3', ''),
    ]
    const { clusters, unclustered } = mine([...TICKETS, ...odd])
    const reported = clusters.reduce((sum, { frequency }) => sum + frequency, 0)
    expect(unclustered.count).toBe(TICKETS.length + odd.length - reported)
    expect(unclustered.samples).toEqual(
      expect.arrayContaining([{ ticketId: 'odd 1', text: 'My parrot has learned your jingle' }]),
    )
    expect(unclustered.samples.map(({ ticketId }) => ticketId)).not.toContain('odd 3')
    const many = Array.from({ length: 60 }, (_, n) => say(`lone ${n}`, `word${n}x thing${n}y`))
    expect(mine(many).unclustered).toMatchObject({ count: 60 })
    expect(mine(many).unclustered.samples.length).toBeLessThanOrEqual(10)
  })

  it('reports neither rare problems nor tickets that say nothing, and counts what is beyond its limit', () => {
    const say = (ticketId: string, content: string): MinedTicket => ({ ...TICKETS[0]!, ticketId, content })
    const empty = Array.from({ length: 5 }, (_, n) => say(`empty ${n}`, 'hello, anyone there?'))
    const rare = [say('rare 1', 'The vacuum leaves stripes'), say('rare 2', 'The vacuum leaves stripes')]
    const { clusters } = mine([...TICKETS, ...empty, ...rare])
    expect(clusters.flatMap(({ ticketIds }) => ticketIds).filter((id) => /empty|rare/.test(id))).toEqual([])
    const limited = mine(TICKETS, { ...LIMITS, maxClusters: 2 })
    expect([limited.clusters.length, limited.leftOut]).toEqual([2, 3])
    expect(mine([])).toEqual({ clusters: [], leftOut: 0, unclustered: { count: 0, samples: [] } })
  })
})
