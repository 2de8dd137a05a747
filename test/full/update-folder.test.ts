import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const FILES = 2_000

let test: TestApp
let folder: string
beforeAll(async () => {
  test = await createTestApp()
  folder = await realpath(await mkdtemp(join(tmpdir(), 'update-folder-')))
  for (let i = 0; i < FILES; i++) await writeFile(join(folder, `page-${i}.md`), contentOf(i))
})
afterAll(async () => {
  await test.close()
  await rm(folder, { recursive: true, force: true })
})

function contentOf(number: number): string {
  const sections = ['Returns', 'Delivery', 'Warranty'].map(
    (topic, i) =>
      `## ${topic} of article ${number}\n\nArticle ${number} comes with rule ${number * 3 + i} of ${topic}.\n`,
  )
  return `# Article ${number}\n\n${sections.join('\n')}`
}

describe('a folder of 2,000 files', () => {
  it('is skipped as a whole the second time, in under a tenth of the time', async () => {
    const update = async () => (await test.call('POST', '/api/v1/update/full', { dir_path: folder })).body
    const first = await update()
    expect(first).toMatchObject({ scanned: FILES, added: FILES, failed: 0 })
    const second = await update()
    console.info(`first ${first.duration_seconds} s, second ${second.duration_seconds} s`)
    expect(second).toMatchObject({ scanned: FILES, skipped: FILES, added: 0, updated: 0, deleted: 0, failed: 0 })
    expect(second.duration_seconds).toBeLessThan(first.duration_seconds / 10)
  })
})
