import { expect } from 'vitest'
import { encodeForm } from '../../../support/test-app.ts'
import { newStorage, startChild } from '../child.ts'
import { chooseSeed } from '../random.ts'
import { type FloodReport, flood } from './flood.ts'

const API_KEY = 'key-of-the-flood'
const MEGABYTE = 1024 * 1024

/**
 * Floods a process of its own with `count` malformed requests and expects it to stand: nothing above 499, every refusal
 * in the contract's form, no error in its log, its memory in bounds, and the next ordinary request answered.
 */
export async function expectToStand(count: number): Promise<FloodReport> {
  const seed = chooseSeed()
  console.info(`Flooded with TEST_SEED=${seed}`)
  const storage = await newStorage()
  const child = await startChild(storage, {
    API_KEY,
    LOG_LEVEL: 'info',
    // Unfinished requests are answered when their time is up.
    HEADERS_TIMEOUT_MS: '1000',
    REQUEST_TIMEOUT_MS: '2000',
    // Requests name files; none of this machine's shall be read.
    FILE_ROOTS: '/nonexistent-root-of-the-flood',
  })
  try {
    const report = await flood(child, count, seed, API_KEY)
    expect(report.failures.join('\n\n')).toBe('')
    const complaints = child
      .output()
      .split('\n')
      .filter((line) => /"level":"(?:error|fatal)"/.test(line))
    expect(complaints.slice(0, 5)).toEqual([])
    const { early, late } = report.memoryBytes
    expect(late).toBeLessThan(early + 300 * MEGABYTE)
    await expectToServe(child.origin)
    expect(await child.stop('SIGTERM')).toEqual({ code: 0, signal: null })
    return report
  } finally {
    await child.stop('SIGKILL')
    await storage.remove()
  }
}

async function expectToServe(origin: string): Promise<void> {
  const headers = { 'x-api-key': API_KEY }
  const { body, contentType } = encodeForm('# Afterwards\n\nThe flood is over.', 'afterwards.md', { register: 'true' })
  const upload = await fetch(`${origin}/api/v1/knowledge/ingest`, {
    method: 'POST',
    headers: { ...headers, 'content-type': contentType },
    body,
  })
  expect(await upload.json()).toMatchObject({ status: 'success' })
  expect((await fetch(`${origin}/api/v1/health`)).status).toBe(200)
}
