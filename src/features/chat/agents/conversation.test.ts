import { describe, expect, it } from 'vitest'
import { hit } from '../../../../test/support/turns.ts'
import type { SearchHit } from '../../knowledge/index.ts'
import { inConversation } from './conversation.ts'
import type { Task } from './task.ts'

const thresholds = { directAnswer: 0.35, clarify: 0.1 }
const BEFORE = 'how many steps may a funnel have'

const passage = (docId: string, score: number, chunkId = docId.length) =>
  hit(docId, score, { docId, chunkId, around: [] })

type Asked = Pick<Task, 'question'> & { leans: boolean; topic?: string; rewritten?: boolean }

async function answer({ question, leans, topic, rewritten }: Asked, alone: SearchHit[], together: SearchHit[]) {
  const asked: string[] = []
  const search = async (query: string) => {
    asked.push(query)
    return together
  }
  const { hits, isMeant } = await inConversation(
    { search, thresholds },
    {
      question,
      original: rewritten ? { question, refersBack: false } : null,
      before: { question: BEFORE, leans },
      ...(topic ? { topic: { docId: topic, title: topic } } : {}),
    },
    { query: question, hits: alone },
  )
  return { asked, documents: hits.map(({ docId }) => docId), score: hits[0]?.score ?? 0, isMeant }
}

describe('a question in a conversation', () => {
  const leaning = { question: 'and at least?', leans: true, topic: 'funnels' }

  it('is asked together with the one before it where it says little', async () => {
    const found = await answer(leaning, [passage('teams', 0.6)], [passage('funnels', 0.5)])
    expect(found).toMatchObject({ asked: [`${BEFORE} and at least?`], documents: ['funnels', 'teams'], score: 0.5 })
  })

  it('is sure where both searches find the same document first', async () => {
    const found = await answer(leaning, [passage('funnels', 0.6)], [passage('funnels', 0.2)])
    expect(found.score).toBe(0.6)
  })

  it('is not sure where what it finds alone is not what both find', async () => {
    const together = [passage('teams', 0.2), passage('funnels', 0.15)]
    const found = await answer(leaning, [passage('funnels', 0.6)], together)
    expect(found.documents[0]).toBe('funnels')
    expect(found.score).toBeLessThan(thresholds.directAnswer)
  })

  it('is meant for the document that answered last where both searches lead to it', async () => {
    const asked = [[passage('funnels', 0.1)], [passage('funnels', 0.2)]] as const
    expect((await answer(leaning, [...asked[0]], [...asked[1]])).isMeant).toBe(true)
    expect((await answer({ ...leaning, topic: 'teams' }, [...asked[0]], [...asked[1]])).isMeant).toBe(false)
    expect((await answer({ ...leaning, leans: false }, [...asked[0]], [...asked[1]])).isMeant).toBe(false)
  })

  it('is left as it is where it is surely answered and stands alone', async () => {
    const found = await answer(
      { question: 'how do I reset my password', leans: false },
      [passage('passwords', 0.6)],
      [passage('funnels', 0.9)],
    )
    expect(found).toMatchObject({ asked: [], documents: ['passwords'] })
  })

  it('is left as it was rewritten where that is surely answered', async () => {
    const found = await answer({ ...leaning, rewritten: true }, [passage('funnels', 0.6)], [passage('teams', 0.9)])
    expect(found).toMatchObject({ asked: [], documents: ['funnels'] })
  })

  it('follows the document that answered last where nothing comes near by itself', async () => {
    const standing = { question: 'can I make it bigger', leans: false, topic: 'funnels' }
    const found = await answer(standing, [passage('images', 0.05)], [passage('funnels', 0.2), passage('images', 0.1)])
    expect(found.documents[0]).toBe('funnels')
  })

  it('may change the subject without being sure', async () => {
    const standing = { question: 'where is my invoice', leans: false, topic: 'funnels' }
    const found = await answer(standing, [passage('invoices', 0.3)], [passage('funnels', 0.2)])
    expect(found.documents).toEqual(['invoices', 'funnels'])
  })

  it('gives each passage once, the best of a document first', async () => {
    const alone = [passage('funnels', 0.1, 1)]
    const together = [passage('funnels', 0.2, 2), passage('funnels', 0.15, 1)]
    expect((await answer(leaning, alone, together)).documents).toEqual(['funnels', 'funnels'])
  })
})
