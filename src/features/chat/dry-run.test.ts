import { beforeAll, describe, expect, it } from 'vitest'
import { createAnalyser } from '../../ai/analysis/analyser.ts'
import type { SearchHit } from '../knowledge/index.ts'
import { type DryRunOptions, dryRun } from './dry-run.ts'
import {
  createUnderstand,
  loadIntentExamples,
  rewriteFollowUp,
  trainIntentClassifier,
} from './understanding/understanding.ts'

let options: DryRunOptions
beforeAll(async () => {
  const examples = await loadIntentExamples(new URL('./intents/', import.meta.url).pathname)
  options = {
    understand: createUnderstand(trainIntentClassifier(examples)),
    rewriteFollowUp,
    terms: createAnalyser(),
    thresholds: () => ({ directAnswer: 0.4, clarify: 0.25 }),
  }
})

const hit = (content: string, score: number): SearchHit => ({
  chunkId: 1,
  docId: 'doc_1',
  version: 1,
  source: 'returns.md',
  title: 'Returns',
  headingPath: [],
  kind: 'text',
  question: null,
  content,
  page: null,
  metadata: {},
  score,
})

describe('a dry run', () => {
  it.each([
    [0.9, 'sure'],
    [0.3, 'close'],
    [0.1, 'none'],
  ])('is as sure as its best passage: %s is %s', async (score, confidence) => {
    const message = 'How long do refunds take?'
    const answer = await dryRun(options, { message, history: [] }, async () => [hit('Refunds take 5 days.', score)])
    expect(answer).toMatchObject({ confidence, parts: [[message]] })
    expect(answer.reply.includes('Refunds take 5 days.')).toBe(confidence !== 'none')
  })

  it('searches for follow-ups as they stand alone', async () => {
    const searched: string[] = []
    const history = [
      { role: 'user', content: 'What is the return window?' },
      { role: 'assistant', content: '7 days.' },
    ] as const
    await dryRun(options, { message: 'And for electronics?', history }, async (query) => {
      searched.push(query)
      return []
    })
    expect(searched[0]).toBe('What is the return window for electronics?')
  })

  it('searches nothing for small talk, and does not take it for an answer', async () => {
    const search = () => Promise.reject(new Error('searched'))
    expect(await dryRun(options, { message: 'Hello!', history: [] }, search)).toMatchObject({ confidence: 'asks' })
  })

  it('answers questions about orders by the rules', async () => {
    const answer = await dryRun(options, { message: 'Where is my order #W1234567?', history: [] }, async () => [
      hit('Orders leave within 24 hours.', 0.8),
    ])
    expect(answer).toMatchObject({ confidence: 'sure', sources: [{ source: 'returns.md' }] })
  })
})
