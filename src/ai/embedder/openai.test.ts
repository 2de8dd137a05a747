import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { newBreaker, until } from '../../../test/support/chat-model.ts'
import { type ScriptedModel, startScriptedModel } from '../../../test/support/scripted-model/server.ts'
import { vectorOf } from '../../../test/support/scripted-model/vectors.ts'
import type { EmbeddingUsage, OpenAiEmbedderOptions } from './embeddings-client.ts'
import { connectOpenAiEmbedder, createOpenAiEmbedder } from './openai.ts'

const dimensions = 16
let server: ScriptedModel

beforeAll(async () => {
  server = await startScriptedModel({ dimensions })
})
afterEach(() => server.clear())
afterAll(() => server.close())

function setUp(options: Partial<OpenAiEmbedderOptions> = {}) {
  const breaker = newBreaker(1_000)
  const usages: EmbeddingUsage[] = []
  const refusals: string[] = []
  const all = {
    baseUrl: server.url,
    apiKey: 'sk-secret-1234',
    model: 'm',
    breaker,
    onUsage: (usage: EmbeddingUsage) => usages.push(usage),
    onRefused: (detail: string) => refusals.push(detail),
    ...options,
  }
  return { all, embedder: createOpenAiEmbedder({ dimensions, ...all }), breaker: all.breaker, usages, refusals }
}

function inputsOf(): string[][] {
  return server.requests.map(({ body }) => (body as { input: string[] }).input)
}

/** An endpoint that refuses more than so many texts, or texts longer than so many characters. */
function refuseBeyond(maxTexts: number, maxCharacters = Number.POSITIVE_INFINITY, status = 400): void {
  server.addRule(({ body }) => {
    const { input } = body as { input: string[] }
    return input.length > maxTexts || input.some((text) => text.length > maxCharacters) ? { status } : undefined
  })
}

function expected(text: string): Float32Array {
  return Float32Array.from(vectorOf(text, dimensions))
}

function expectVectors(actual: readonly Float32Array[], texts: readonly string[]): void {
  expect(actual).toHaveLength(texts.length)
  for (const [i, text] of texts.entries()) {
    for (const [j, value] of expected(text).entries()) expect(actual[i]?.[j]).toBeCloseTo(value, 5)
  }
}

describe('the embeddings client', () => {
  it('asks for the length of the vectors', async () => {
    const embedder = await connectOpenAiEmbedder(setUp().all)
    expect(embedder).toMatchObject({ dimensions, id: 'openai:m:16' })
    expectVectors(await embedder.embed(['returns'], 'query'), ['returns'])
  })

  it('gives vectors of length 1 in the order of the texts, over many batches', async () => {
    const texts = Array.from({ length: 100 }, (_, index) => `text number ${index} 退货`)
    const { embedder, usages, breaker } = setUp({ maxBatchTexts: 7 })
    expectVectors(await embedder.embed(texts, 'document'), texts)
    expect(server.requests).toHaveLength(15)
    expect(server.requests[0]).toMatchObject({
      path: '/v1/embeddings',
      headers: { authorization: 'Bearer sk-secret-1234' },
    })
    expect(usages).toHaveLength(15)
    expect(usages[0]).toMatchObject({ model: 'm', estimated: false })
    expect(breaker.stats().success_count).toBe(15)
  })

  it('keeps requests under the token limit', async () => {
    const { embedder } = setUp({ maxBatchTokens: 20 })
    await embedder.embed(['a'.repeat(40), 'b'.repeat(40), 'c'.repeat(40)], 'document')
    expect(inputsOf().map((input) => input.length)).toEqual([2, 1])
  })

  it('sends no more requests at once than allowed, and lets queries pass', async () => {
    // Long beside the pauses of a busy machine: the query is to arrive while documents are on their way.
    server.setDefault({ firstTokenDelayMs: 400 })
    let mostAtOnce = 0
    server.addRule(() => {
      mostAtOnce = Math.max(mostAtOnce, server.activeRequests())
      return undefined
    })
    const { embedder } = setUp({ maxBatchTexts: 1, concurrency: 3 })
    const documents = embedder.embed(Array(9).fill('x'), 'document')
    await until(() => mostAtOnce === 3)
    const query = embedder.embed(['q'], 'query')
    await Promise.all([documents, query])
    expect(mostAtOnce).toBe(4)
  })

  it('gives blank texts a vector of zeros and sends none of them', async () => {
    const { embedder } = setUp()
    const [blank, real, empty] = await embedder.embed(['  \n', 'real', ''], 'document')
    expect(inputsOf()).toEqual([['real']])
    expect([...blank!, ...empty!].every((value) => value === 0)).toBe(true)
    expectVectors([real!], ['real'])
    expect(await embedder.embed([], 'document')).toEqual([])
  })

  it('cuts long texts without breaking a character', async () => {
    const { embedder } = setUp({ maxTextTokens: 10 })
    await embedder.embed([`${'退'.repeat(9)}😀😀`, `\ud800${'a'.repeat(99)}`], 'document')
    const [input] = inputsOf()
    expect(input![0]).toBe('退'.repeat(9))
    expect(input!.every((text) => text.isWellFormed() && text.length <= 40)).toBe(true)
  })

  it.each([
    ['intfloat/multilingual-e5-base', 'passage: x', 'query: x'],
    ['nomic-embed-text-v1.5', 'search_document: x', 'search_query: x'],
    ['text-embedding-3-small', 'x', 'x'],
  ])('tells %s what it is for', async (model, document, query) => {
    const { embedder } = setUp({ model })
    await embedder.embed(['x'], 'document')
    await embedder.embed(['x'], 'query')
    expect(inputsOf()).toEqual([[document], [query]])
  })
})

describe('an endpoint that refuses', () => {
  it('so many texts gets fewer, from then on', async () => {
    refuseBeyond(10)
    const texts = Array.from({ length: 64 }, (_, index) => `text ${index}`)
    const { embedder } = setUp({ concurrency: 1 })
    expectVectors(await embedder.embed(texts, 'document'), texts)
    const before = server.requests.length
    expectVectors(await embedder.embed(texts, 'document'), texts)
    const later = inputsOf().slice(before)
    expect(later.every((input) => input.length === 8)).toBe(true)
  })

  it('long texts gets their beginning', async () => {
    refuseBeyond(99, 900, 413)
    const { embedder, refusals } = setUp()
    const texts = ['short', 'long '.repeat(700)]
    const vectors = await embedder.embed(texts, 'document')
    expectVectors(vectors.slice(0, 1), ['short'])
    expect(vectors[1]?.some((value) => value !== 0)).toBe(true)
    expect(refusals).toEqual([])
  })

  it('one text for what it says costs that text its vector, not the others theirs', async () => {
    server.addRule(({ body }) => (JSON.stringify(body).includes('forbidden') ? { status: 400 } : undefined))
    const { embedder, refusals, breaker } = setUp()
    const vectors = await embedder.embed(['a', 'forbidden words', 'b', 'c'], 'document')
    expectVectors([vectors[0]!, vectors[2]!, vectors[3]!], ['a', 'b', 'c'])
    expect(vectors[1]?.every((value) => value === 0)).toBe(true)
    expect(refusals).toHaveLength(1)
    expect(breaker.stats().failure_count).toBe(0)
  })

  it('everything is an error, not vectors of zeros', async () => {
    server.setDefault({ status: 400 })
    const { embedder } = setUp()
    await expect(embedder.embed(['a', 'b'], 'document')).rejects.toMatchObject({ code: 'endpoint_refused' })
  })

  it.each([
    [404, 'endpoint_refused'],
    [401, 'endpoint_unauthorized'],
  ])('with %i is asked once', async (status, code) => {
    server.setDefault({ status })
    const { embedder } = setUp()
    await expect(embedder.embed(['a', 'b'], 'document')).rejects.toMatchObject({ kind: 'unavailable', code })
    expect(server.requests).toHaveLength(1)
  })
})

describe('an endpoint that fails', () => {
  it.each([
    { status: 500 },
    { status: 429, retryAfterSeconds: 0.01 },
    { fault: { kind: 'cut', afterTokens: 0 } as const },
    { body: '{"data":' },
  ])('once with %j is asked again', async (behaviour) => {
    server.enqueue(behaviour)
    const { embedder, breaker } = setUp()
    expectVectors(await embedder.embed(['a'], 'document'), ['a'])
    expect(server.requests).toHaveLength(2)
    expect(breaker.stats()).toMatchObject({ success_count: 1, failure_count: 0, last_error: expect.any(String) })
  })

  it.each([
    ['fewer vectors', { data: [] }],
    [
      'a vector twice',
      {
        data: [
          { index: 0, embedding: [1] },
          { index: 0, embedding: [1] },
        ],
      },
    ],
    [
      'an index beyond',
      {
        data: [
          { index: 0, embedding: [1] },
          { index: 7, embedding: [1] },
        ],
      },
    ],
    [
      'no numbers',
      {
        data: [
          { index: 0, embedding: ['1'] },
          { index: 1, embedding: [null] },
        ],
      },
    ],
    [
      'other lengths',
      {
        data: [
          { index: 0, embedding: [1] },
          { index: 1, embedding: [1] },
        ],
      },
    ],
    ['another protocol', { embeddings: [[1], [2]] }],
  ])('by sending %s is not believed', async (_name, answer) => {
    server.setDefault({ body: JSON.stringify(answer) })
    const { embedder } = setUp({ maxRetries: 0 })
    await expect(embedder.embed(['a', 'b'], 'document')).rejects.toMatchObject({ code: 'endpoint_bad_response' })
  })

  it('by silence is left after the time limit', async () => {
    server.setDefault({ fault: { kind: 'hang', afterTokens: 0 } })
    const { embedder, breaker } = setUp({ timeoutMs: 30, maxRetries: 0 })
    await expect(embedder.embed(['a'], 'document')).rejects.toMatchObject({ code: 'endpoint_timeout' })
    expect(breaker.stats().failure_count).toBe(1)
    await until(() => server.activeRequests() === 0)
  })

  it('opens the breaker, and no request is made', async () => {
    server.setDefault({ status: 500 })
    const { embedder } = setUp({ breaker: newBreaker(1), maxRetries: 0 })
    await expect(embedder.embed(['a'], 'document')).rejects.toMatchObject({ code: 'endpoint_down' })
    await expect(embedder.embed(['a'], 'document')).rejects.toMatchObject({ code: 'circuit_open' })
    expect(server.requests).toHaveLength(1)
  })

  it('with one batch ends the others', async () => {
    server.setDefault({ fault: { kind: 'hang', afterTokens: 0 } })
    server.addRule(({ body }) => (JSON.stringify(body).includes('bad') ? { status: 401 } : undefined))
    const { embedder } = setUp({ maxBatchTexts: 1 })
    await expect(embedder.embed(['a', 'b', 'bad'], 'document')).rejects.toMatchObject({ code: 'endpoint_unauthorized' })
    await until(() => server.activeRequests() === 0)
  })
})

describe('a caller who leaves', () => {
  it('gets the reason of the signal, ends the requests and moves no breaker', async () => {
    server.setDefault({ fault: { kind: 'hang', afterTokens: 0 } })
    const { embedder, breaker } = setUp()
    const controller = new AbortController()
    const embedding = embedder.embed(['a'], 'query', controller.signal)
    await until(() => server.activeRequests() === 1)
    controller.abort(new Error('gone'))
    await expect(embedding).rejects.toThrow('gone')
    await until(() => server.activeRequests() === 0)
    expect(breaker.stats()).toMatchObject({ failure_count: 0, success_count: 0 })
    await expect(embedder.embed(['a'], 'query', controller.signal)).rejects.toThrow('gone')
  })
})

it('keeps the key out of errors', async () => {
  const strict = await startScriptedModel({ apiKey: 'another' })
  const { embedder, breaker } = setUp({ baseUrl: strict.url })
  const error = await embedder.embed(['a'], 'query').catch((caught: Error) => caught)
  expect(error).toMatchObject({ code: 'endpoint_unauthorized', detail: expect.stringContaining('Incorrect API key') })
  expect(JSON.stringify([error, String(error), breaker.stats()])).not.toContain('secret')
  await strict.close()
})
