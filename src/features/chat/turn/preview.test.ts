import { describe, expect, it } from 'vitest'
import { hit, pipelineWith } from '../../../../test/support/turns.ts'
import { DEFAULTS } from '../../tuning/parameters.ts'
import { type Previewed, preview } from './preview.ts'
import { turnSettings } from './settings.ts'

const settings = turnSettings({ ...DEFAULTS, direct_answer_threshold: 0.4, clarify_threshold: 0.25 })
const ask = (question: Pick<Previewed, 'message' | 'history'>, search: NonNullable<Previewed['search']>) =>
  preview(pipelineWith(), { ...question, settings, search })

describe('a preview', () => {
  it.each([
    [0.9, 'sure'],
    [0.3, 'close'],
    [0.1, 'none'],
  ])('is as sure as its best passage: %s is %s', async (score, confidence) => {
    const message = 'How long do refunds take?'
    const answer = await ask({ message, history: [] }, async () => [hit('Refunds take 5 days.', score)])
    expect(answer).toMatchObject({ confidence, questions: [message] })
    expect(answer.reply.includes('Refunds take 5 days.')).toBe(confidence !== 'none')
  })

  it('offers of two that are equally close the one that holds what was asked for', async () => {
    const answer = await ask({ message: 'How long does delivery to Singapore take?', history: [] }, async () => [
      { ...hit('It takes 2 days to inspect a return.', 0.3), chunkId: 2 },
      hit('Delivery to Singapore: 6–10 days', 0.28),
    ])
    expect(answer.confidence).toBe('close')
    expect(answer.reply).toContain('6–10 days')
  })

  it('searches for follow-ups as they stand alone', async () => {
    const searched: string[] = []
    const history = [
      { role: 'user', content: 'What is the return window?' },
      { role: 'assistant', content: '7 days.' },
    ] as const
    await ask({ message: 'And for electronics?', history }, async (query) => {
      searched.push(query)
      return []
    })
    expect(searched[0]).toBe('What is the return window for electronics?')
  })

  describe('of a follow-up that fits something else as it was said', () => {
    const history = [{ role: 'user', content: 'How long do the Hush headphones play?' }] as const
    const searching = (rewritten: number, said: number) => async (query: string) =>
      query.includes('Hush')
        ? [hit('The Hush headphones have 12 months of warranty.', rewritten)]
        : [hit('The warranty starts.', said)]

    it.each([
      [0.5, 0.9, 'sure', 'The Hush headphones'],
      [0.3, 0.9, 'close', 'The Hush headphones'],
      [0.1, 0.9, 'none', 'Sorry'],
    ])('answers what was meant (%s, not %s)', async (rewritten, said, confidence, text) => {
      const answer = await ask({ message: 'what is their warranty?', history }, searching(rewritten, said))
      expect(answer.confidence).toBe(confidence)
      expect(answer.reply).toContain(text)
    })

    it('offers what fits as it was said when nothing else is found', async () => {
      const answer = await ask({ message: 'And for gift wrapping?', history }, searching(0.1, 0.3))
      expect(answer).toMatchObject({ confidence: 'close', questions: ['for gift wrapping?'] })
    })

    it('takes it for a new subject when it needs no other and is answered much better', async () => {
      const message = 'And for gift wrapping?'
      const answer = await ask({ message, history }, searching(0.3, 0.9))
      expect(answer).toMatchObject({ confidence: 'sure', questions: ['for gift wrapping?'] })
    })
  })

  it('asks for what a part leaves out', async () => {
    const searched: string[] = []
    const message = '发票可以补开吗，期限是多久？'
    await ask({ message, history: [] }, async (query) => {
      searched.push(query)
      return []
    })
    expect(searched).toEqual(['发票可以补开吗', '发票可以补开，期限是多久？'])
  })

  it('searches nothing for small talk, and does not take it for an answer', async () => {
    const search = () => Promise.reject(new Error('searched'))
    expect(await ask({ message: 'Hello!', history: [] }, search)).toMatchObject({ confidence: 'asks' })
  })

  it('answers questions about orders by the rules', async () => {
    const answer = await ask({ message: 'Where is my order #W1234567?', history: [] }, async () => [
      hit('Orders leave within 24 hours.', 0.8),
    ])
    expect(answer).toMatchObject({ confidence: 'sure', sources: [{ source: 'returns.md' }] })
  })
})
