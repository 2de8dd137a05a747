import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

const API_KEY = 'a secret of 24 characters'
const scripts = new URL('../../../scripts/', import.meta.url).pathname

let folder: string
let test: TestApp
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'frontdesk-user-'))
  test = await createTestApp({ API_KEY })
  await test.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await test.close()
  rmSync(folder, { recursive: true })
})

/** What a command of npm prints, with its exit code. */
function runCommand(
  command: 'user' | 'widget-key',
  environment: Record<string, string>,
  ...args: string[]
): Promise<{ code: number; out: string; err: string }> {
  const env = { PATH: process.env.PATH, DATA_DIR: join(folder, 'data'), HOST: '127.0.0.1', ...environment }
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(scripts, `${command}.ts`), ...args],
      { env, cwd: folder },
      (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code) : 0, out: stdout.trim(), err: stderr.trim() })
      },
    )
  })
}

const run = (environment: Record<string, string>, ...args: string[]) => runCommand('user', environment, ...args)

it('adds people to a service that runs, who can log in', async () => {
  const PORT = String((test.app.server.address() as AddressInfo).port)
  const there = { PORT, API_KEY }
  const added = await run(there, 'add', 'li.na', '--role', 'agent', '--display-name', 'Li Na')
  expect(added).toMatchObject({ code: 0, out: expect.stringMatching(/^[\w-]{16}$/) })
  const logIn = await test.call('POST', '/api/v1/console/session', { name: 'li.na', password: added.out })
  expect(logIn.status).toBe(200)
  expect((await run(there, 'list')).out).toBe('li.na\tLi Na\tagent\tactive\tnever logged in')
  expect(await run(there, 'add', 'li.na', '--role', 'agent')).toMatchObject({
    code: 1,
    err: 'name: li.na is taken (409)',
  })
  expect(await run({ PORT, API_KEY: 'wrong' }, 'list')).toMatchObject({
    code: 1,
    err: 'Invalid or missing API key (401)',
  })
  const other = await run(there, 'password', 'li.na')
  expect(other.out).not.toBe(added.out)
  expect((await run(there, 'change', 'li.na', '--role', 'editor')).err).toBe('li.na is Li Na, editor, and may log in.')
  expect(await run(there, 'remove', 'li.na')).toMatchObject({
    code: 0,
    err: 'li.na is removed. What they did keeps the name.',
  })
}, 180_000)

it('opens the database itself where no service runs', async () => {
  const PORT = '9'
  expect(await run({ PORT }, 'list')).toMatchObject({ code: 1, err: expect.stringContaining('No key is set') })
  const added = await run({ PORT, API_KEY }, 'add', 'boss', '--role', 'admin')
  expect(added).toMatchObject({ code: 0, out: expect.stringMatching(/^[\w-]{16}$/) })
  expect((await run({ PORT, API_KEY }, 'list')).out).toContain('boss\tboss\tadmin\tactive')
  for (const args of [[], ['add', 'x'], ['list', 'x'], ['change', 'boss'], ['change', 'boss', '--active', 'maybe']]) {
    expect(await run({ PORT, API_KEY }, ...args)).toMatchObject({ code: 2, err: expect.stringContaining('Usage') })
  }
}, 180_000)

describe('npm run widget-key', () => {
  const keys = (environment: Record<string, string>, ...args: string[]) =>
    runCommand('widget-key', environment, ...args)

  it('makes, lists, rotates and revokes public keys of a service that runs', async () => {
    const there = { PORT: String((test.app.server.address() as AddressInfo).port), API_KEY }
    const made = await keys(there, 'add', 'Shop', '--origin', 'https://shop.example')
    expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^pk_[\w-]{24}\nws_[\w-]{43}$/) })
    const [key = ''] = made.out.split('\n')
    const listed = await keys(there, 'list')
    expect(listed.out).toMatch(new RegExp(`^widget_\\w+\\tShop\\t${key}\\thttps://shop.example$`))
    const [id = ''] = listed.out.split('\t')
    expect((await keys(there, 'rotate', id, '--grace-hours', '0')).out).toMatch(/^pk_/)
    expect((await keys(there, 'rotate-secret', id)).out).toMatch(/^ws_/)
    expect(await keys(there, 'revoke', id)).toMatchObject({ code: 0, err: expect.stringContaining('is revoked') })
    expect((await keys(there, 'list')).out).toContain('revoked 20')
    expect(await keys(there, 'rotate', id)).toMatchObject({ code: 1, err: 'The widget is revoked (409)' })
    expect(await keys(there, 'add', 'Shop', '--origin', 'shop')).toMatchObject({
      code: 1,
      err: expect.stringContaining('allowed_origins.0'),
    })
    for (const args of [[], ['add', 'Shop'], ['list', 'x'], ['rotate', id, '--grace-hours', 'x']]) {
      expect(await keys(there, ...args)).toMatchObject({ code: 2, err: expect.stringContaining('Usage') })
    }
  }, 180_000)
})
