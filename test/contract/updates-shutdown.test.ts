import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp } from '../support/test-app.ts'

describe('a service that ends', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'updates-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('stops a running update between two documents, each of them whole', async () => {
    const ending = await createTestApp()
    const content = 'Filler words to read and to cut. '.repeat(400)
    for (let i = 0; i < 60; i++) await writeFile(join(folder, `f${i}.md`), `# Title ${i}\n\n${content}${i}`)
    const running = ending.call('POST', '/api/v1/update/full', { dir_path: folder })
    await expect
      .poll(async () => (await ending.call('GET', '/api/v1/update/status')).body.running?.processed, {
        interval: 5,
        timeout: 30_000,
      })
      .toBeGreaterThan(0)
    const before = (await ending.call('GET', '/api/v1/knowledge/stats')).body.total_documents
    await ending.app.close()
    expect(await running).toMatchObject({
      status: 503,
      body: { detail: 'The update was stopped before its end: the service is shutting down' },
    })
    expect(before).toBeLessThan(60)
    await ending.close()
  })
})
