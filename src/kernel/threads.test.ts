import { expect, it } from 'vitest'
import { reduceOnThread } from './threads.ts'

/** A thread that adds numbers up; -1 makes it throw, -2 ends it, -3 makes it use up its memory. */
const THREAD = new URL(
  `data:text/javascript,${encodeURIComponent(`
  import { workerData } from 'node:worker_threads'
  import { serveReduction } from '${new URL('./threads.ts', import.meta.url)}'
  let sum = workerData
  const held = []
  serveReduction({
    add(page) {
      if (page.includes(-1)) throw new Error('cannot be added')
      if (page.includes(-2)) process.exit(0)
      while (page.includes(-3)) held.push(new Array(1e5).fill(held.length))
      for (const number of page) sum += number
    },
    finish(onProgress) {
      onProgress(0.5)
      return sum
    },
  })`)}`,
)

const options = {
  of: 'the test',
  workerData: 100,
  maxHeapMb: 32,
  outOfMemory: { code: 'test_memory', message: 'too many numbers' },
}

async function* pagesOf(...pages: number[][]): AsyncGenerator<number[]> {
  yield* pages
}

it('gives what the thread makes of all pages, and tells how far it is', async () => {
  const shares: number[] = []
  const pages = pagesOf([1, 2], [], [3])
  const sum = await reduceOnThread(THREAD, pages, { ...options, onProgress: (share) => shares.push(share) })
  expect(sum).toBe(106)
  expect(shares).toEqual([0.5])
})

it.each([
  ['what the thread throws', -1, { message: 'cannot be added' }],
  ['that the thread ended', -2, { message: 'The thread of the test ended' }],
  ['an answer of its own where memory runs out', -3, { kind: 'unavailable', code: 'test_memory' }],
])('rejects with %s', async (_, number, expected) => {
  await expect(reduceOnThread(THREAD, pagesOf([1], [number], [2], [3]), options)).rejects.toMatchObject(expected)
})

it('rejects with the reason of its signal, and asks for no more pages', async () => {
  const stopping = new AbortController()
  let asked = 0
  async function* endless(): AsyncGenerator<number[]> {
    for (;;) {
      if (++asked === 3) stopping.abort(new Error('stop'))
      yield [1]
    }
  }
  await expect(reduceOnThread(THREAD, endless(), { ...options, signal: stopping.signal })).rejects.toThrow('stop')
  expect(asked).toBe(3)
})
