import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const STATS = '/api/v1/knowledge/stats'
const REFUSAL = { detail: 'Invalid or missing API key' }
const PATIENCE = { timeout: 20_000, interval: 50 }
const script = new URL('../../scripts/key.ts', import.meta.url).pathname

describe('a file of named keys', () => {
  let folder: string
  let path: string
  let test: TestApp
  let shop: string
  let boss: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'frontdesk-keys-'))
    path = join(folder, 'keys.json')
    shop = npmRunKey('add', 'shop-server', '--scopes', 'chat')
    boss = npmRunKey('add', 'boss', '--scopes', 'admin')
    chmodSync(path, 0o644)
    test = await createTestApp({ API_KEYS_FILE: path })
  }, 120_000)
  afterAll(async () => {
    await test.close()
    rmSync(folder, { recursive: true })
  })

  /** What the command prints: the new key, if there is one. */
  function npmRunKey(...args: string[]): string {
    const env = { PATH: process.env.PATH, API_KEYS_FILE: path }
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
      env,
      cwd: folder,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(stderr)
    return stdout.trim()
  }
  const ask = async (
    key: string | undefined,
    method: 'GET' | 'POST' | 'PUT' = 'GET',
    url = STATS,
    payload?: object,
  ) => {
    const headers = key === undefined ? {} : { 'x-api-key': key }
    const response = await test.app.inject({ method, url, headers, ...(payload ? { payload } : {}) })
    return { status: response.statusCode, body: response.json() }
  }
  const chat = (key: string) => ask(key, 'POST', '/api/v1/chat', { message: 'Hello' })

  it('turns authentication on, without API_KEY', async () => {
    for (const key of [undefined, '', 'wrong', `${shop}x`])
      expect(await ask(key)).toEqual({ status: 401, body: REFUSAL })
    expect((await ask(undefined, 'GET', '/api/v1/health')).status).toBe(200)
    const { body } = await ask(undefined, 'GET', '/api/v1/operations/release-checklist')
    expect(body.checks).toContainEqual({ name: 'api_key', status: 'passed' })
  })

  it('lets each key do what its scopes say', async () => {
    expect((await chat(shop)).status).toBe(200)
    expect(await ask(shop)).toEqual({ status: 403, body: { detail: 'This API key lacks the scope read' } })
    expect((await ask(shop, 'PUT', '/api/v1/tuner/params', { min_score: 1 })).status).toBe(403)
    expect((await ask(shop, 'GET', '/api/v1/keys')).status).toBe(403)
    expect((await ask(boss)).status).toBe(200)
  })

  it('is closed to others when it was open', () => {
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('is shown without keys and hashes, with the last use of each', async () => {
    await chat(shop)
    const { status, body } = await ask(boss, 'GET', '/api/v1/keys')
    expect(status).toBe(200)
    expect(body.keys).toMatchObject([
      { name: 'shop-server', scopes: ['chat'], expires_at: null, last_used_at: expect.stringMatching(/Z$/) },
      { name: 'boss', scopes: ['admin'], last_used_at: expect.stringMatching(/Z$/) },
    ])
    const { keys } = JSON.parse(readFileSync(path, 'utf8')) as { keys: { hash: string }[] }
    const shown = JSON.stringify(body)
    for (const secret of [shop, boss, ...keys.map(({ hash }) => hash.slice(7))]) expect(shown).not.toContain(secret)
  })

  it('is read again when it changes: keys are added, rotated with an overlap, and revoked', async () => {
    const reader = npmRunKey('add', 'reader', '--scopes', 'read')
    await vi.waitFor(async () => expect((await ask(reader)).status).toBe(200), PATIENCE)
    const next = npmRunKey('rotate', 'reader', '--overlap', '1h')
    await vi.waitFor(async () => expect((await ask(next)).status).toBe(200), PATIENCE)
    expect((await ask(reader)).status).toBe(200)
    const last = npmRunKey('rotate', 'reader', '--overlap', '0')
    await vi.waitFor(async () => expect((await ask(last)).status).toBe(200), PATIENCE)
    expect([(await ask(reader)).status, (await ask(next)).status]).toEqual([401, 401])
    npmRunKey('revoke', 'reader')
    await vi.waitFor(async () => expect(await ask(last)).toEqual({ status: 401, body: REFUSAL }), PATIENCE)
  })

  it('keeps its last good keys while it is broken or gone, and takes the next good ones', async () => {
    const good = readFileSync(path, 'utf8')
    writeFileSync(path, '{"keys": [')
    const added = JSON.parse(good) as { keys: object[] }
    renameSync(path, `${path}.away`)
    expect((await ask(boss)).status).toBe(200)
    writeFileSync(path, JSON.stringify({ keys: added.keys.slice(1) }), { mode: 0o600 })
    await vi.waitFor(async () => expect((await chat(shop)).status).toBe(401), PATIENCE)
    expect((await ask(boss)).status).toBe(200)
    writeFileSync(path, good)
    await vi.waitFor(async () => expect((await chat(shop)).status).toBe(200), PATIENCE)
  })

  it('leaves the commands no way to harm it', () => {
    const before = readFileSync(path, 'utf8')
    expect(() => npmRunKey('add', 'boss', '--scopes', 'read')).toThrow('has a key already')
    expect(() => npmRunKey('add', 'new', '--scopes', 'root')).toThrow('--scopes must be')
    expect(() => npmRunKey('revoke', 'nobody')).toThrow('Nobody has the name')
    expect(() => npmRunKey('add')).toThrow('Usage')
    writeFileSync(`${path}.new`, '')
    expect(() => npmRunKey('revoke', 'boss')).toThrow('another command is at work')
    rmSync(`${path}.new`)
    expect(readFileSync(path, 'utf8')).toBe(before)
    expect(npmRunKey('list')).toMatch(/^shop-server\tkey_\w+\tchat\t.*\nboss\t/)
  })

  it('shows what is for staff to keys of the desk or of the knowledge base alone', async () => {
    const search = (key: string, audience: string) =>
      ask(key, 'POST', '/api/v1/knowledge/search', { query: 'returns', audience })
    const reader = npmRunKey('add', 'dashboard', '--scopes', 'read')
    await vi.waitFor(async () => expect((await search(reader, 'customers')).status).toBe(200), PATIENCE)
    expect(await search(reader, 'staff')).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('staff') },
    })
    expect((await ask(reader, 'GET', '/api/v1/knowledge/documents/doc_x/versions/v1/file')).status).toBe(403)
    expect((await search(boss, 'staff')).status).toBe(200)
    npmRunKey('revoke', 'dashboard')
  })
})

describe('a file of named keys that cannot be used', () => {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-keys-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  it.each([
    ['missing.json', undefined, 'does not exist; npm run key'],
    ['broken.json', '{', 'is wrong: it is not valid JSON'],
    ['strange.json', '{"keys": [{"name": "x"}]}', 'is wrong: keys[0]'],
  ])('keeps the service from starting: %s', async (name, content, message) => {
    const path = join(folder, name)
    if (content !== undefined) writeFileSync(path, content)
    await expect(createTestApp({ API_KEYS_FILE: path })).rejects.toThrow(`API_KEYS_FILE: ${path} ${message}`)
  })
})

it('API_KEY is listed among the keys, and stays what it was', async () => {
  const test = await createTestApp({ API_KEY: 'short' })
  const { status, body } = await test.call('GET', '/api/v1/keys')
  await test.close()
  expect(status).toBe(200)
  expect(body.keys).toMatchObject([
    { key_id: 'API_KEY', name: 'API_KEY', scopes: ['admin'], created_at: null, last_used_at: expect.any(String) },
  ])
})
