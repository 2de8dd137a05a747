import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { createTestApp } from '../support/test-app.ts'

const FULL = '/api/v1/update/full'
const FILE = '/api/v1/update/file'

it('an update refuses a file beyond the upload limit and goes on', async () => {
  const small = await createTestApp({ MAX_UPLOAD_MB: '1' })
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-update-'))
  await writeFile(join(folder, 'large.txt'), 'x'.repeat(1_100_000))
  await writeFile(join(folder, 'a.md'), '# A\n\nOne.')
  const { body } = await small.call('POST', '/api/v1/update/full', { dir_path: folder })
  expect(body).toMatchObject({ scanned: 2, added: 1, failed: 1 })
  expect(body.errors[0]).toContain('is larger than 1 MiB')
  await small.close()
  await rm(folder, { recursive: true })
})

it('an update leaves the roots of FILE_ROOTS under no disguise', async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'frontdesk-roots-')))
  const at = (name: string): string => join(folder, name)
  const put = async (files: Record<string, string>): Promise<void> => {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(at(name)), { recursive: true })
      await writeFile(at(name), content)
    }
  }
  await put({ 'root/a.md': '# A\n\nOne.', 'other/secret.md': '# S\n\nSecret.', 'root-too/c.md': '# C\n\nThree.' })
  await symlink(at('other'), at('root/link'))
  await symlink(at('other/secret.md'), at('root/secret.md'))
  const confined = await createTestApp({ FILE_ROOTS: `${at('missing')}:${at('root')}` })
  const status = async (url: string, body: object) => (await confined.call('POST', url, body)).status
  expect(await status(FULL, { dir_path: at('root') })).toBe(200)
  for (const path of ['other', 'root-too', 'root/../other', 'root/link', '.'])
    expect([path, await status(FULL, { dir_path: at(path) })]).toEqual([path, 400])
  for (const path of ['other/secret.md', 'root/secret.md', 'root/link/secret.md', 'root-too/c.md'])
    expect([path, await status(FILE, { file_path: at(path) })]).toEqual([path, 400])
  expect(await status(FILE, { file_path: at('root/a.md') })).toBe(200)
  expect((await confined.call('GET', '/api/v1/knowledge/stats')).body.total_documents).toBe(1)
  await confined.close()
  await rm(folder, { recursive: true })
})
