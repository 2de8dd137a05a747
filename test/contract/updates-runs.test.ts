import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import type { TestApp } from '../support/test-app.ts'
import { openUpdatedFolder } from './support/updated-folder.ts'

const RUNS = '/api/v1/update/runs'

const opened = openUpdatedFolder()
const { put } = opened
let test: TestApp
let folder: string
beforeEach(() => {
  ;({ test, folder } = opened)
})

const start = (body: object) => test.call('POST', RUNS, { mode: 'full', dir_path: folder, ...body })

async function ended(runId: string) {
  for (;;) {
    const { body } = await test.call('GET', `${RUNS}/${runId}`)
    if (body.state !== 'running') return body
    await pause(20)
  }
}

describe('an update of a folder that is not waited for', () => {
  it('is followed to its report', async () => {
    await put({ 'a.md': '# A\n\nAlpha.', 'b.md': '# B\n\nBeta.', 'empty.md': '' })
    const { status, body: run } = await start({})
    expect([status, run.state, run.subject]).toEqual([202, 'running', `full ${folder}`])
    const { payload } = await test.app.inject({ method: 'GET', url: `${RUNS}/${run.run_id}/events` })
    expect(payload).toMatch(/event: finished\ndata: .*"done":3,"total":3/)
    const over = await ended(run.run_id)
    expect(over).toMatchObject({ state: 'finished', stage: 'files', progress: { done: 3, total: 3 } })
    const { body: report } = await test.call('GET', over.result)
    expect(report).toMatchObject({ mode: 'full', path: folder, scanned: 3, added: 2, failed: 1 })
    expect(report.errors).toEqual([expect.stringContaining('empty.md')])
    expect((await test.call('GET', `${RUNS}?limit=1`)).body.runs).toMatchObject([{ run_id: run.run_id }])
  })

  it('is one at a time, and cancelled between two files: what is in stays in', async () => {
    const content = 'Filler words to read and to cut. '.repeat(400)
    await put(Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`f${i}.md`, `# Title ${i}\n\n${content}${i}`])))
    const { body: run } = await start({ mode: 'incremental' })
    expect((await start({})).status).toBe(409)
    await expect
      .poll(async () => (await test.call('GET', `${RUNS}/${run.run_id}`)).body.progress.done, { timeout: 30_000 })
      .toBeGreaterThan(0)
    expect((await test.call('DELETE', `${RUNS}/${run.run_id}`)).status).toBe(202)
    const over = await ended(run.run_id)
    expect(over).toMatchObject({ state: 'cancelled', result: null })
    const { body: stats } = await test.call('GET', '/api/v1/knowledge/stats')
    expect(stats.total_documents).toBeGreaterThan(0)
    expect(stats.total_documents).toBeLessThan(60)
    expect((await test.call('DELETE', `${RUNS}/${run.run_id}`)).status).toBe(409)
    const { status, body: next } = await start({})
    expect([status, (await ended(next.run_id)).state]).toEqual([202, 'finished'])
  })

  it.each([
    [{ mode: 'all' }, 422, 'mode'],
    [{ dir_path: '' }, 422, 'dir_path'],
    [{ url_prefix: 'nowhere' }, 422, 'url_prefix'],
    [{ dir_path: '/nowhere/at/all' }, 400, 'dir_path'],
    [{ extensions: ['.exe'] }, 400, 'extensions'],
  ])('is refused before it begins: %j', async (body, status, field) => {
    const before = (await test.call('GET', RUNS)).body
    expect(await start(body)).toMatchObject({ status, body: { detail: expect.stringContaining(field) } })
    expect((await test.call('GET', RUNS)).body).toEqual(before)
  })

  it.each(['0', '99999999999999999999', 'x'])('leaves no report %s', async (id) => {
    expect((await test.call('GET', `/api/v1/update/reports/${id}`)).status).toBe(404)
  })
})
