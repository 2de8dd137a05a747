import { describe, expect, it } from 'vitest'
import { hit, scriptedStream, terms, turnOf, understand } from '../../../../test/support/turns.ts'
import type { ChatModel } from '../../../ai/model/port.ts'
import { estimateTokens } from '../../../ai/model/tokens.ts'
import { planTasks } from '../agents/router.ts'
import { emptyResult, type TaskResult } from '../agents/task.ts'
import { compose } from './compose.ts'

const QUESTION = 'What is the return window?'
const PASSAGE = hit('Goods may be returned within 7 days.', 0.9)
const SOURCE = {
  source: 'returns.md',
  score: 0.9,
  docId: 'doc_1',
  version: 'v1',
  title: 'Returns',
  excerpt: 'Goods may be returned within 7 days.',
}
const FAILED = 'Sorry, I still could not find an answer.'

function part(question: string, more: Partial<TaskResult>): TaskResult {
  const [task] = planTasks({ message: question, understanding: understand(question), context: {} })
  return emptyResult(task as TaskResult['task'], '', { agent: 'knowledge', ...more })
}
const answered = (more: Partial<TaskResult> = {}) =>
  part(QUESTION, { answer: 'Within 7 days.', confidence: 'sure', hits: [PASSAGE], sources: [SOURCE], ...more })

type Lines = Parameters<typeof scriptedStream>

interface Reading {
  failedAttempts?: number
  /** True: nobody reads along, and what was written can be taken back. */
  isUnread?: boolean
}

async function reply(
  results: readonly TaskResult[],
  lines: Lines | null = null,
  { failedAttempts = 0, isUnread = false }: Reading = {},
) {
  const { state } = turnOf(QUESTION)
  const { stream, asked } = scriptedStream(...(lines ?? []))
  const model = { stream } as unknown as ChatModel
  const composer = lines && { model, mask: (text: string) => text, maxTokensPerReply: 10_000 }
  let text = ''
  const writing = {
    write: async (piece: string) => {
      text += piece
    },
    withdraw: (piece: string) => {
      if (isUnread) text = text.slice(0, text.length - piece.length)
      return isUnread
    },
    spans: state.trace,
    signal: state.signal,
  }
  const input = { ...state, understanding: understand(QUESTION), results, history: [], failedAttempts }
  const composed = await compose({ composer, search: async () => [], terms }, input, writing)
  return { text, asked, ...composed }
}

describe('a reply without a model', () => {
  it('is the answer to the one question', async () => {
    expect(await reply([answered()])).toMatchObject({ text: 'Within 7 days.', mode: 'extractive', sources: [SOURCE] })
  })

  it('numbers parts, says of which nothing was found, and gives one answer once', async () => {
    const missing = part('Do you sell horses?', {})
    const again = part('How long may I return?', { answer: 'Within 7 days.', confidence: 'sure' })
    const { text } = await reply([answered(), missing, again])
    expect(text).toBe(
      `1. ${QUESTION}\nWithin 7 days.\n\n2. Do you sell horses?\nSorry, I could not find an answer to this part in our ` +
        'knowledge base.\n\n3. How long may I return?\nSee the answer to 1.',
    )
    expect((await reply([answered(), again])).text).toBe('Within 7 days.')
  })

  it('says otherwise that nothing was found when it is said again', async () => {
    expect((await reply([part(QUESTION, {})], null, { failedAttempts: 1 })).text).toContain(FAILED)
  })
})

describe('a reply with a model', () => {
  it('is written over the passages and names those that it cites', async () => {
    const { text, mode, sources, asked } = await reply([answered()], ['Within 7 days [1].'])
    expect([text, mode, sources]).toEqual(['Within 7 days [1].', 'model', [SOURCE]])
    expect(asked[0]?.messages.at(-1)?.content).toContain(PASSAGE.content)
  })

  it('leaves out what no passage says, and says that it did', async () => {
    const { text } = await reply([answered()], ['Within 99 days [1].'])
    expect(text).not.toContain('99')
    expect(text).toContain('could not be verified')
  })

  it('is asked also where the search is unsure, and then decides', async () => {
    const unsure = answered({ confidence: 'none', hits: [{ ...PASSAGE, score: 0.05 }], answer: 'Sorry.' })
    const { results, sources, asked } = await reply([unsure], ['{"query":"return window"}', 'Within 7 days [1].'])
    expect(asked).toHaveLength(2)
    expect(sources.map(({ docId }) => docId)).toEqual(['doc_1'])
    expect(results[0]).toMatchObject({ confidence: 'sure', answer: 'Within 7 days [1].', sources, suggestions: [] })
  })

  it('is not asked where the search found nothing', async () => {
    const { asked, mode } = await reply([part(QUESTION, {})], ['never'])
    expect([asked, mode]).toEqual([[], 'notice'])
  })

  it('offers what is near where the model finds no answer', async () => {
    const { text, mode, sources, suggestions, results } = await reply([answered()], ['NOT_FOUND'])
    expect({ mode, sources }).toEqual({ mode: 'model', sources: [] })
    expect(suggestions.map(({ title }) => title)).toEqual(['Returns'])
    expect(text).toContain('1. Returns')
    expect(results[0]).toMatchObject({ confidence: 'none', sources: [] })
  })

  it('numbers what it cites as the sources are numbered, each document once', async () => {
    const other = hit('Refunds take 3 days.', 0.8, {
      chunkId: 2,
      docId: 'doc_2',
      title: 'Refunds',
      source: 'refunds.md',
    })
    const more = hit('Returns need the receipt.', 0.7, { chunkId: 3 })
    const line = 'Refunds take 3 days [2]. Bring the receipt [3][1]. Nobody says so [5].'
    const { text, sources } = await reply([answered({ hits: [PASSAGE, other, more] })], [line])
    expect(text).toBe('Refunds take 3 days [1]. Bring the receipt [2]. Nobody says so.')
    expect(sources.map(({ source }) => source)).toEqual(['refunds.md', 'returns.md'])
  })

  it('numbers its sources behind those of other parts', async () => {
    const order = part('Where is my order #W1?', {
      agent: 'business',
      answer: 'On its way.',
      confidence: 'sure',
      sources: [{ ...SOURCE, docId: 'doc_9', source: 'orders' }],
    })
    const { text, sources } = await reply([order, answered()], ['Within 7 days [1].'])
    expect(text).toContain('Within 7 days [2].')
    expect(sources.map(({ docId }) => docId)).toEqual(['doc_9', 'doc_1'])
  })

  it('reads citations however the model writes them', async () => {
    const other = hit('Refunds take 3 days.', 0.8, { chunkId: 2, docId: 'doc_2', title: 'Refunds' })
    const { text, sources } = await reply([answered({ hits: [PASSAGE, other] })], ['Soon 【2】, or later [2, 1, 9].'])
    expect(text).toBe('Soon [1], or later [1][2].')
    expect(sources.map(({ docId }) => docId)).toEqual(['doc_2', 'doc_1'])
  })

  it('has as its source what its words come from, and nothing where they come from nowhere', async () => {
    const other = hit('Refunds take 3 days.', 0.95, { chunkId: 2, docId: 'doc_2', title: 'Refunds' })
    const sourcesOf = async (line: string) =>
      (await reply([answered({ hits: [other, PASSAGE] })], [line])).sources.map(({ docId }) => docId)
    expect(await sourcesOf('Goods may be returned within 7 days.')).toEqual(['doc_1'])
    expect(await sourcesOf('Which country do you live in, please?')).toEqual([])
  })

  it('says for which part nothing is there, in the words of the desk', async () => {
    const { text, results } = await reply(
      [answered(), answered({ task: part('Do you sell horses?', {}).task })],
      ['1. Within 7 days [1].\n2. NOT_FOUND'],
    )
    expect(text).toMatch(/^1\. Within 7 days \[1\]\.\n2\. Sorry, I could not find an answer to this part/)
    expect(results.map(({ answer }) => answer)).toEqual([text, text])
  })

  it('gives the model the best of each part before the second of any, and cuts what is too long', async () => {
    const many = (from: number, score: number) =>
      Array.from({ length: 6 }, (_, i) =>
        hit(`Text ${from + i}. ${'Words of it. '.repeat(100)}`, score, { chunkId: from + i, docId: `d${from + i}` }),
      )
    const two = [answered({ hits: many(10, 0.9) }), answered({ task: part('And?', {}).task, hits: many(20, 0.4) })]
    const { asked } = await reply(two, ['Yes [1].'])
    const content = asked.at(-1)?.messages.at(-1)?.content as string
    expect([...content.matchAll(/Text (\d+)/g)].map(([, n]) => Number(n)).slice(0, 4)).toEqual([10, 20, 11, 21])
    expect(estimateTokens(content)).toBeLessThan(3_000)
    const long = answered({ hits: [hit('Very long. '.repeat(4_000), 0.9)] })
    const only = (await reply([long], ['Yes [1].'])).asked[0]?.messages.at(-1)?.content as string
    expect(only).toContain('Very long.')
    expect(estimateTokens(only)).toBeLessThan(3_000)
  })

  it('gives the model whole sections under their titles', async () => {
    const passage = (chunkId: number, content: string) => ({ ...PASSAGE, chunkId, content, headingPath: ['Deadlines'] })
    const around = [passage(1, 'Seven days.'), passage(2, 'Furniture: thirty days.')]
    const { asked } = await reply([answered({ hits: [{ ...passage(1, 'Seven days.'), around }] })], ['Yes [1].'])
    const content = asked[0]?.messages.at(-1)?.content
    expect(content).toContain('source="Returns › Deadlines"')
    expect(content).toContain('Furniture: thirty days.')
    expect(content).not.toContain('returns.md')
  })

  it('says nothing twice where the model breaks off', async () => {
    const broken = (text: string): Lines => [
      [
        { type: 'text-delta', text },
        { type: 'error', error: { kind: 'network', message: 'cut', retryable: false } },
      ] as Lines[number],
    ]
    expect((await reply([answered()], broken('Within 7 '))).text).toBe('Within 7 days.')
    expect((await reply([answered()], broken('Within [1] 7 days [1]'))).text).toBe('Within [1] 7 days [1].')
    expect((await reply([answered()], broken('You may send it'))).text).toBe('You may send it…\n\nWithin 7 days.')
    expect((await reply([answered()], broken('You may send it'), { isUnread: true })).text).toBe('Within 7 days.')
  })

  it('falls back to the passages where the model says nothing', async () => {
    expect(await reply([answered()], [''])).toMatchObject({ mode: 'fallback', text: 'Within 7 days.' })
  })

  it('gives a matched pair, and what the shop says, as they are', async () => {
    const pair = answered({ hits: [{ ...PASSAGE, question: QUESTION, score: 0.99 }] })
    const order = part('Where is my order #W1?', { agent: 'business', answer: 'It is on its way.', confidence: 'sure' })
    expect((await reply([pair], ['never'])).text).toBe('Within 7 days.')
    const { text, asked } = await reply([order, answered()], ['Within 7 days [1].'])
    expect(text).toBe('1. Where is my order #W1?\nIt is on its way.\n\nWithin 7 days [1].')
    expect(asked).toHaveLength(1)
  })
})
