import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

export interface Listed {
  doc_id: string
  source: string
  current_version: string | null
  status: string
  knowledge_type: string
  product_category: string
}

/** What a file of tests on updates works with: a service, and a folder that each test finds new. */
export function openUpdatedFolder() {
  let test: TestApp
  let folder: string
  beforeAll(async () => {
    test = await createTestApp()
  })
  afterAll(() => test.close())
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'updates-')))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const at = (name: string): string => join(folder, name)
  async function put(files: Record<string, string>): Promise<void> {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(at(name)), { recursive: true })
      await writeFile(at(name), content)
    }
  }
  const update = (url: string, extensions?: string[]) =>
    test.call('POST', url, { dir_path: folder, ...(extensions ? { extensions } : {}) })

  async function registered(): Promise<Record<string, Listed>> {
    const { body } = await test.call('GET', `/api/v1/knowledge/documents?limit=200&q=${encodeURIComponent(folder)}`)
    return Object.fromEntries(body.items.map((item: Listed) => [item.source.slice(folder.length + 1), item]))
  }
  async function versions(): Promise<Record<string, string | null>> {
    return Object.fromEntries(Object.entries(await registered()).map(([name, item]) => [name, item.current_version]))
  }
  return {
    get test() {
      return test
    },
    get folder() {
      return folder
    },
    at,
    put,
    update,
    registered,
    versions,
  }
}
