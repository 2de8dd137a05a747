import { describe, expect, it } from 'vitest'
import { hit, scriptedStream, turnOf, understand } from '../../../../test/support/turns.ts'
import type { ChatModel } from '../../../ai/model/port.ts'
import { planTasks } from '../agents/router.ts'
import { emptyResult, type TaskResult } from '../agents/task.ts'
import { compose } from './compose.ts'

const QUESTION = 'What is the return window?'
const PASSAGE = hit('Goods may be returned within 7 days.', 0.9)
const SOURCE = { source: 'returns.md', score: 0.9, docId: 'doc_1', version: 'v1', title: 'Returns' }
const FAILED = 'Sorry, I still could not find an answer.'

function part(question: string, more: Partial<TaskResult>): TaskResult {
  const [task] = planTasks({ message: question, understanding: understand(question), context: {} })
  return emptyResult(task as TaskResult['task'], '', { agent: 'knowledge', ...more })
}
const answered = (more: Partial<TaskResult> = {}) =>
  part(QUESTION, { answer: 'Within 7 days.', confidence: 'sure', hits: [PASSAGE], sources: [SOURCE], ...more })

async function reply(results: readonly TaskResult[], lines: readonly string[] | null = null, failedAttempts = 0) {
  const { state } = turnOf(QUESTION)
  const { stream, asked } = scriptedStream(...(lines ?? []))
  const model = { stream } as unknown as ChatModel
  const composer = lines && { model, mask: (text: string) => text, maxTokensPerReply: 10_000 }
  let text = ''
  const writing = {
    write: async (piece: string) => {
      text += piece
    },
    spans: state.trace,
    signal: state.signal,
  }
  const input = { ...state, understanding: understand(QUESTION), results, history: [], failedAttempts }
  const composed = await compose({ composer, search: async () => [] }, input, writing)
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
    expect((await reply([part(QUESTION, {})], null, 1)).text).toContain(FAILED)
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

  it('is no answer where the model finds none', async () => {
    expect(await reply([answered()], ['NOT_FOUND'])).toMatchObject({ mode: 'model', answered: false, sources: [] })
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
