import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { openUpdatedFolder } from './support/updated-folder.ts'

const FULL = '/api/v1/update/full'
const INCREMENTAL = '/api/v1/update/incremental'
const FILE = '/api/v1/update/file'
const STATUS = '/api/v1/update/status'

const opened = openUpdatedFolder()
const { at, put, update, versions } = opened
let test: TestApp
let folder: string
beforeEach(() => {
  ;({ test, folder } = opened)
})

async function found(query: string): Promise<string[]> {
  const { body } = await test.call('POST', '/api/v1/agent/sessions/none/knowledge-recommend', { query, top_k: 50 })
  return body.chunks.map(({ content }: { content: string }) => content)
}

describe('GET /update/status', () => {
  it('is empty before any update', async () => {
    const fresh = await createTestApp()
    expect(await fresh.call('GET', STATUS)).toMatchObject({
      status: 200,
      body: { last_update: {}, running: null, message: 'No update has run yet' },
    })
    await fresh.close()
  })

  it('holds the last update', async () => {
    await put({ 'a.md': '# A\n\nAlpha.' })
    await update(FULL)
    const { body } = await test.call('GET', STATUS)
    expect(body.last_update).toMatchObject({ mode: 'full', scanned: 1, added: 1, failed: 0, path: folder })
    expect(body.last_update.duration_seconds).toBeGreaterThan(0)
    expect(body.running).toBeNull()
    await update(INCREMENTAL)
    expect((await test.call('GET', STATUS)).body.last_update).toMatchObject({ mode: 'incremental', skipped: 1 })
  })

  it('shows how far a running update is, and refuses a second one', async () => {
    const content = 'Filler words to read and to cut. '.repeat(400)
    await put(Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`f${i}.md`, `# Title ${i}\n\n${content}${i}`])))
    const running = update(FULL)
    const seen = await expect
      .poll(async () => (await test.call('GET', STATUS)).body.running, { interval: 5, timeout: 30_000 })
      .toMatchObject({ mode: 'full', path: folder, total: 40 })
      .then(() => test.call('GET', STATUS))
    expect(seen.body.message).toMatch(/^An update is running: \d+ of 40 files$/)
    const refused = { status: 409, body: { detail: 'The update is running already' } }
    expect(await update(INCREMENTAL)).toMatchObject(refused)
    expect(await test.call('POST', FILE, { file_path: at('f0.md') })).toMatchObject(refused)
    expect(await running).toMatchObject({ status: 200, body: { scanned: 40, added: 40 } })
    expect((await update(INCREMENTAL)).status).toBe(200)
  })
})

describe('POST /update/full', () => {
  it('takes in every supported document, at any depth', async () => {
    await put({
      'returns.md': '# Returns\n\nThe saffron sofa may be returned.',
      'deep/er/faq.csv': 'question,answer\nIs the saffron sofa soft?,Very soft.',
      'notes.TXT': 'Plain saffron text.',
      'picture.png': 'no picture',
      noextension: 'text',
    })
    const { status, body } = await update(FULL)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      mode: 'full',
      ...{ scanned: 3, added: 3, updated: 0, skipped: 0, deleted: 0, failed: 0, errors: [] },
    })
    expect(body.files.map((file: { path: string }) => file.path)).toEqual([
      at('deep/er/faq.csv'),
      at('notes.TXT'),
      at('returns.md'),
    ])
    expect(body.files[2]).toMatchObject({ status: 'added', version: 'v1', error: null })
    expect(await versions()).toEqual({ 'returns.md': 'v1', 'deep/er/faq.csv': 'v1', 'notes.TXT': 'v1' })
    expect((await found('Is the saffron sofa soft?'))[0]).toContain('Very soft')
  })

  it('skips what is unchanged, versions what changed, deletes what is gone', async () => {
    await put({
      'a.md': '# A\n\nThe amber anvil.',
      'b.md': '# B\n\nThe bronze bell.',
      'c.md': '# C\n\nThe copper cup.',
    })
    const first = (await update(FULL)).body
    await put({ 'a.md': '# A\n\nThe amber anvil rings.', 'd.md': '# D\n\nThe dusty drum.' })
    await rm(at('c.md'))
    const { body } = await update(FULL)
    expect(body).toMatchObject({ scanned: 3, added: 1, updated: 1, skipped: 1, deleted: 1, failed: 0 })
    expect(
      body.files.map((file: { path: string; status: string; version: string | null }) => [
        file.path.slice(folder.length + 1),
        file.status,
        file.version,
      ]),
    ).toEqual([
      ['a.md', 'updated', 'v2'],
      ['c.md', 'deleted', null],
      ['d.md', 'added', 'v1'],
    ])
    const gone = first.files.find(({ path }: { path: string }) => path === at('c.md')).doc_id
    expect((await test.call('GET', `/api/v1/knowledge/documents/${gone}`)).body).toMatchObject({ status: 'deleted' })
    expect((await found('copper cup')).some((content) => content.includes('copper'))).toBe(false)
    expect(await update(FULL)).toMatchObject({ body: { skipped: 3, added: 0, updated: 0, deleted: 0, files: [] } })
  })

  it('does not mistake another time for another content', async () => {
    await put({ 'a.md': '# A\n\nThe same.' })
    await update(FULL)
    await utimes(at('a.md'), new Date(), new Date())
    expect((await update(FULL)).body).toMatchObject({ skipped: 1 })
    const before = await import('node:fs/promises').then(({ stat }) => stat(at('a.md')))
    await put({ 'a.md': '# A\n\nThe sama.' })
    await utimes(at('a.md'), before.atime, before.mtime)
    expect((await update(FULL)).body).toMatchObject({ updated: 1 })
  })

  it('takes a document back when its file is back', async () => {
    await put({ 'a.md': '# A\n\nBack again.', 'b.md': '# B\n\nStays.' })
    await update(FULL)
    await rm(at('a.md'))
    await update(FULL)
    await put({ 'a.md': '# A\n\nBack again.' })
    expect((await update(FULL)).body).toMatchObject({ added: 1, skipped: 1 })
    expect(await versions()).toEqual({ 'a.md': 'v2', 'b.md': 'v1' })
  })

  it('deletes only documents that came from this folder', async () => {
    await put({ 'one/a.md': '# A\n\nOne.', 'two/b.md': '# B\n\nTwo.', 'one-more/c.md': '# C\n\nThree.' })
    const uploaded = await test.upload('# U\n\nUploaded by hand.', 'a.md', { register: 'true' })
    await update(FULL)
    await rm(at('two/b.md'))
    await rm(at('one-more/c.md'))
    const { body } = await test.call('POST', FULL, { dir_path: at('one') })
    expect(body).toMatchObject({ scanned: 1, skipped: 1, deleted: 0 })
    expect((await test.call('GET', `/api/v1/knowledge/documents/${uploaded.body.doc_id}`)).body.status).toBe('active')
    expect((await update(FULL)).body).toMatchObject({ deleted: 2 })
    expect((await test.call('GET', `/api/v1/knowledge/documents/${uploaded.body.doc_id}`)).body.status).toBe('active')
  })

  it('reads what a filter names, in any case and without its dot, and deletes nothing else', async () => {
    await put({ 'a.md': '# A\n\nOne.', 'B.MD': '# B\n\nTwo.', 'c.txt': 'Three.', 'd.html': '<p>Four.</p>' })
    expect((await update(FULL, ['.md'])).body).toMatchObject({ scanned: 2, added: 2 })
    expect((await update(FULL, ['.TXT', 'html'])).body).toMatchObject({ scanned: 2, added: 2, deleted: 0 })
    await rm(at('a.md'))
    expect((await update(FULL, ['.txt'])).body).toMatchObject({ scanned: 1, skipped: 1, deleted: 0 })
    expect((await update(FULL, ['.Md'])).body).toMatchObject({ scanned: 1, skipped: 1, deleted: 1 })
    expect((await update(FULL, ['.exe', '.txt'])).body).toMatchObject({ scanned: 1 })
    expect(await update(FULL, ['.exe'])).toMatchObject({ status: 400 })
  })

  it('goes on after a file that cannot be read, and keeps its document as it was', async () => {
    await put({ 'good.md': '# G\n\nGood granite.', 'bad.json': '{"a": 1}', 'also.md': '# H\n\nAlso good.' })
    await update(FULL)
    await put({ 'bad.json': '{"a": ', 'empty.md': '', 'new.md': '# N\n\nNew.' })
    const { status, body } = await update(FULL)
    expect(status).toBe(200)
    expect(body).toMatchObject({ scanned: 5, added: 1, skipped: 2, failed: 2, deleted: 0 })
    const failed = body.files.filter((file: { status: string }) => file.status === 'failed')
    expect(failed.map((file: { path: string }) => file.path)).toEqual([at('bad.json'), at('empty.md')])
    for (const file of failed) expect(file.error).toMatch(/bad\.json|empty\.md/)
    expect(body.errors).toHaveLength(2)
    expect(await versions()).toMatchObject({ 'bad.json': 'v1', 'new.md': 'v1' })
  })

  it('keeps what a rollback chose, until the file changes', async () => {
    await put({ 'a.md': '# A\n\nGood.' })
    await update(FULL)
    await put({ 'a.md': '# A\n\nBad.' })
    const [file] = (await update(FULL)).body.files
    await test.call('POST', `/api/v1/knowledge/documents/${file.doc_id}/rollback`, { target_version: 'v1' })
    expect((await update(FULL)).body).toMatchObject({ skipped: 1, updated: 0 })
    expect(await versions()).toEqual({ 'a.md': 'v1' })
    await put({ 'a.md': '# A\n\nBetter.' })
    expect((await update(FULL)).body).toMatchObject({ updated: 1 })
    expect(await versions()).toEqual({ 'a.md': 'v3' })
  })

  it('deletes nothing when the folder is missing or no folder', async () => {
    await put({ 'kb/a.md': '# A\n\nOne.', 'kb/sub/b.md': '# B\n\nTwo.' })
    await test.call('POST', FULL, { dir_path: at('kb') })
    const before = await versions()
    await rename(at('kb'), at('kept'))
    const refused = async (detail: string) => {
      const answer = await test.call('POST', FULL, { dir_path: at('kb') })
      expect([answer.status, answer.body.detail]).toEqual([400, expect.stringContaining(detail)])
      expect(await versions()).toEqual(before)
    }
    await refused('dir_path: does not exist')
    await writeFile(at('kb'), 'a file')
    await refused('dir_path: is no folder')
    await rm(at('kb'))
    await rename(at('kept'), at('kb'))
    expect((await test.call('POST', FULL, { dir_path: at('kb') })).body).toMatchObject({ skipped: 2, deleted: 0 })
  })

  it('deletes all that came from a folder that was emptied', async () => {
    await put({ 'kb/a.md': '# A\n\nOne obsidian otter.', 'kb/sub/b.md': '# B\n\nTwo.', 'other/c.md': '# C\n\nThree.' })
    await update(FULL)
    await rm(at('kb'), { recursive: true })
    await put({ 'kb/picture.png': 'no document' })
    const emptied = { dir_path: at('kb') }
    expect(await test.call('POST', INCREMENTAL, emptied)).toMatchObject({
      status: 200,
      body: { scanned: 0, deleted: 0 },
    })
    const { status, body } = await test.call('POST', FULL, emptied)
    expect([status, body]).toMatchObject([200, { scanned: 0, deleted: 2, failed: 0, errors: [] }])
    expect(await versions()).toEqual({ 'kb/a.md': null, 'kb/sub/b.md': null, 'other/c.md': 'v1' })
    expect(await found('obsidian otter')).not.toContain('One obsidian otter.')
  })

  it('takes an empty folder that never held anything', async () => {
    expect(await update(FULL)).toMatchObject({ status: 200, body: { scanned: 0, deleted: 0 } })
  })

  it.skipIf(process.getuid?.() === 0)('deletes nothing in a subfolder that cannot be read', async () => {
    await put({ 'a.md': '# A\n\nOne.', 'locked/b.md': '# B\n\nTwo.' })
    await update(FULL)
    await chmod(at('locked'), 0)
    const { body } = await update(FULL)
    await chmod(at('locked'), 0o755)
    expect(body).toMatchObject({ scanned: 1, deleted: 0 })
    expect(body.errors[0]).toContain('cannot be read')
  })
})

describe('POST /update/incremental', () => {
  it('takes in new and changed files and deletes nothing', async () => {
    await put({ 'a.md': '# A\n\nOne.', 'b.md': '# B\n\nTwo.' })
    await update(INCREMENTAL)
    await put({ 'a.md': '# A\n\nOne changed.', 'c.md': '# C\n\nThree.' })
    await rm(at('b.md'))
    expect((await update(INCREMENTAL)).body).toMatchObject({
      mode: 'incremental',
      ...{ scanned: 2, added: 1, updated: 1, skipped: 0, deleted: 0 },
    })
    expect(await versions()).toEqual({ 'a.md': 'v2', 'b.md': 'v1', 'c.md': 'v1' })
  })

  it('knows a document whether its folder or one above is named, or a link to it', async () => {
    await put({ 'sub/a.md': '# A\n\nOne.' })
    await update(INCREMENTAL)
    expect((await test.call('POST', INCREMENTAL, { dir_path: `${folder}/sub/` })).body).toMatchObject({ skipped: 1 })
    await symlink(at('sub'), `${folder}-link`)
    expect((await test.call('POST', INCREMENTAL, { dir_path: `${folder}-link` })).body).toMatchObject({ skipped: 1 })
    await rm(`${folder}-link`)
  })
})

describe('paths', () => {
  it.each([
    [FULL, {}],
    [FULL, { dir_path: '' }],
    [FULL, { dir_path: 1 }],
    [FULL, { dir_path: null }],
    [FULL, { dir_path: '/tmp', extensions: '.md' }],
    [FULL, { dir_path: '/tmp', extensions: [1] }],
    [INCREMENTAL, []],
    [FILE, { dir_path: '/tmp' }],
    [FILE, { file_path: ['/tmp/a.md'] }],
    [FILE, { file_path: 'x'.repeat(5_000) }],
  ])('%s answers 422 for %j', async (url, body) => {
    expect((await test.call('POST', url, body)).status).toBe(422)
  })

  it.each([
    [FULL, { dir_path: '/no/such/folder' }],
    [FULL, { dir_path: '/etc' }],
    [FULL, { dir_path: '/proc/self' }],
    [INCREMENTAL, { dir_path: '/dev' }],
    [INCREMENTAL, { dir_path: '/tmp/../etc' }],
    [FILE, { file_path: '/etc/passwd' }],
    [FILE, { file_path: '/dev/zero' }],
    [FILE, { file_path: '/proc/self/environ' }],
    [FILE, { file_path: 'relative.md' }],
  ])('%s answers 400 for %j', async (url, body) => {
    const answer = await test.call('POST', url, body)
    expect([answer.status, typeof answer.body.detail]).toEqual([400, 'string'])
  })

  it('follows no link, waits for no pipe and opens nothing hidden', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'outside-'))
    await writeFile(join(outside, 'secret.md'), '# S\n\nThe ultramarine secret.')
    await put({ 'a.md': '# A\n\nOne.', '.hidden.md': '# H\n\nHidden.', '.git/b.md': '# B\n\nHidden too.' })
    await symlink(join(outside, 'secret.md'), at('link.md'))
    await symlink(outside, at('linked'))
    await symlink(at('a.md'), at('inside.md'))
    await symlink(folder, at('loop'))
    execFileSync('mkfifo', [at('pipe.md')])
    expect((await update(FULL)).body).toMatchObject({ scanned: 1, added: 1, failed: 0 })
    expect(Object.keys(await versions())).toEqual(['a.md'])
    for (const name of ['pipe.md', '.hidden.md', '.git/b.md'])
      expect([name, (await test.call('POST', FILE, { file_path: at(name) })).status]).toEqual([name, 400])
    await rm(outside, { recursive: true })
  })
})
