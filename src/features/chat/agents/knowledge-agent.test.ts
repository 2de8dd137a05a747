import { expect, it } from 'vitest'
import { hit, terms } from '../../../../test/support/turns.ts'
import { readOrderTalk } from '../../../language/order-talk.ts'
import { answerFromKnowledge, searchRewrites } from './knowledge-agent.ts'
import type { Task } from './task.ts'

const thresholds = { directAnswer: 0.35, clarify: 0.21 }
const QUESTION = { rewrites: ['What is the return window for electronics?'], fallback: null }
const asSaid = (refersBack: boolean) => ({ question: 'And for refurbished electronics?', refersBack })

const TASK: Task = {
  ...{
    taskId: 'task_1',
    agent: 'knowledge',
    intent: 'faq',
    question: '',
    rewrites: [],
    original: null,
    fallback: null,
  },
  orders: readOrderTalk('', []),
}

async function found(scores: Record<string, number>, task: Parameters<typeof searchRewrites>[1]) {
  const asked: string[] = []
  const search = async (query: string) => {
    asked.push(query)
    return query in scores ? [hit(query, scores[query] as number)] : []
  }
  const { ordered, isGuess } = await searchRewrites({ search, terms, thresholds }, task)
  return { best: ordered[0]?.query, isGuess, asked }
}

it('asks one query where a question stands alone', async () => {
  const task = { ...QUESTION, original: null }
  expect(await found({}, task)).toEqual({ best: QUESTION.rewrites[0], isGuess: false, asked: QUESTION.rewrites })
})

it('puts the rewrite first that finds the best passage', async () => {
  expect(await found({ a: 0.3, b: 0.6 }, { rewrites: ['a', 'b'], original: null, fallback: null })).toMatchObject({
    best: 'b',
  })
})

it.each([
  ['the rewritten one, also where the original fits a little better', 0.5, 0.7, false, 'rewrite', false],
  ['the original where it is answered so much better that it is a new subject', 0.3, 0.9, false, 'original', false],
  ['but not where it speaks of what was said', 0.3, 0.9, true, 'rewrite', false],
  ['the original as a guess where the rewritten one finds nothing', 0.1, 0.3, false, 'original', true],
])('of a follow-up takes %s', async (_, rewritten, alone, refersBack, best, isGuess) => {
  const original = asSaid(refersBack)
  const result = await found(
    { [QUESTION.rewrites[0] as string]: rewritten, [original.question]: alone },
    { ...QUESTION, original },
  )
  expect(result).toMatchObject({ best: best === 'rewrite' ? QUESTION.rewrites[0] : original.question, isGuess })
})

it('asks the fallback only where nothing sure was found, and takes it where it finds more', async () => {
  const task = { rewrites: ['a'], original: null, fallback: 'b' }
  expect(await found({ a: 0.5, b: 0.9 }, task)).toMatchObject({ best: 'a', asked: ['a'] })
  expect(await found({ a: 0.2, b: 0.3 }, task)).toMatchObject({ best: 'b', asked: ['a', 'b'] })
  expect(await found({ a: 0.3, b: 0.2 }, task)).toMatchObject({ best: 'a' })
})

it('takes a word alone for no new subject, whatever it fits', async () => {
  const original = { question: 'And at least?', refersBack: false }
  const rewrites = ['How many steps may a funnel have at least?']
  const scores = { [rewrites[0] as string]: 0.2, [original.question]: 0.9 }
  expect(await found(scores, { rewrites, original, fallback: null })).toMatchObject({ best: rewrites[0] })
})

it('finds nothing for signs alone, which would be near to anything', async () => {
  const search = async () => [hit('Engraving', 0.9)]
  const asking = (question: string) =>
    answerFromKnowledge({ search, terms, thresholds }, { ...TASK, question, rewrites: [question] }, 'en')
  for (const question of ['?', '??!', '…', '。。。']) {
    expect(await asking(question)).toMatchObject({ confidence: 'none', hits: [], suggestions: [] })
  }
  expect(await asking('E5?')).toMatchObject({ confidence: 'sure' })
})

it('fails as one where each of several searches fails', async () => {
  const search = () => Promise.reject(new Error('The database is gone'))
  const task = { ...QUESTION, original: asSaid(false) }
  // A second failure that nobody waits for would end the process; the test runner reports such.
  await expect(searchRewrites({ search, terms, thresholds }, task)).rejects.toThrow('The database is gone')
})

it.each([
  ['运费怎么算', 0.5, 'close'],
  ['运费怎么算', 0.3, 'sure'],
  ['退货运费怎么算', 0.5, 'sure'],
])('is sure of «%s» beside another document of score %d: %s', async (question, other, confidence) => {
  const search = async () => [
    hit('质量问题退货，来回运费由我们承担。', 0.57, { docId: 'doc_a', title: '退货' }),
    hit('不满 ¥99 收运费 ¥8。', other, { docId: 'doc_b', title: '配送' }),
  ]
  const task = { ...TASK, question, rewrites: [question] }
  expect((await answerFromKnowledge({ search, terms, thresholds }, task, 'zh')).confidence).toBe(confidence)
})
