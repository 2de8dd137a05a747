import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createTestApp } from '../support/test-app.ts'

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
