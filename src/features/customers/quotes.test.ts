import { expect, it } from 'vitest'
import { cleanReport } from './quotes.ts'
import type { StoredReport } from './types.ts'

it('a report of mining loses the problems and the samples of what is erased, and keeps its numbers', () => {
  const item = (ticketIds: string[]) => ({ question: 'Why?', ticketIds })
  const body = {
    totalTickets: 9,
    items: [item(['T1', 'T2']), item(['T3'])],
    unclustered: {
      count: 3,
      samples: [
        { ticketId: 'T4', text: 'I am Ana' },
        { ticketId: 'T5', text: 'I am Ben' },
      ],
    },
  }
  const report = { kind: 'mining', reportId: 'r', ordinal: 1, body, cases: null } as unknown as StoredReport
  expect(cleanReport(report, ['T1', 'T4'], [])?.body).toEqual({
    totalTickets: 9,
    items: [item(['T3'])],
    unclustered: { count: 3, samples: [{ ticketId: 'T5', text: 'I am Ben' }] },
  })
  expect(cleanReport(report, ['T9'], [])).toBeNull()
})
