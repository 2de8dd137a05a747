import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Child, launch, newEmbedded, newStorage, type Storage, startChild } from '../../contract/support/child.ts'
import { openConnection, request } from '../../contract/support/wire.ts'
import { encodeForm } from '../../support/test-app.ts'

const children: Child[] = []
const storages: Storage[] = []
afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => child.stop('SIGKILL')))
  await Promise.all(storages.splice(0).map((storage) => storage.remove()))
})

async function storage(make = newStorage): Promise<Storage> {
  const made = await make()
  storages.push(made)
  return made
}

async function start(on: Storage, environment: Record<string, string> = {}): Promise<Child> {
  const child = await startChild(on, environment)
  children.push(child)
  return child
}

async function upload(child: Child, name: string, text: string): Promise<{ status: number; body: { doc_id: string } }> {
  const { body, contentType } = encodeForm(text, name, { register: 'true' })
  const headers = { 'content-type': contentType }
  const response = await fetch(`${child.origin}/api/v1/knowledge/ingest`, { method: 'POST', headers, body })
  return { status: response.status, body: (await response.json()) as { doc_id: string } }
}

async function countDocuments(child: Child): Promise<number> {
  const response = await fetch(`${child.origin}/api/v1/knowledge/stats`)
  return ((await response.json()) as { total_documents: number }).total_documents
}

/** State in Postgres's control file: https://github.com/postgres/postgres/blob/REL_18_STABLE/src/include/catalog/pg_control.h */
const SHUT_DOWN = 1

async function controlState(dataDir: string): Promise<number> {
  const control = await readFile(join(dataDir, 'postgres', 'global', 'pg_control'))
  return control.readUInt32LE(16)
}

describe('two processes on one data folder', () => {
  it('are refused: the second says who has it and ends, the first goes on; after a kill the next one takes over', async () => {
    const on = await storage(newEmbedded)
    const first = await start(on)
    const second = launch(on)
    expect((await second.exited).code).toBe(1)
    expect(second.output()).toContain(`is in use by another Frontdesk (process ${first.pid})`)
    expect(second.output()).not.toMatch(/^\s+at /m)

    await upload(first, 'returns.md', '# Returns\n\nWithin 14 days.')
    await first.stop('SIGKILL')
    expect(await controlState(on.dataDir ?? '')).not.toBe(SHUT_DOWN)
    const third = await start(on)
    expect(await countDocuments(third)).toBe(1)
    expect(await third.stop('SIGINT')).toEqual({ code: 0, signal: null })
    expect(await controlState(on.dataDir ?? '')).toBe(SHUT_DOWN)
  })

  it('that start at the same moment leave one running', async () => {
    const on = await storage(newEmbedded)
    const both = [launch(on), launch(on)]
    const winner = await Promise.race(both.map(({ ready }) => ready))
    const loser = await Promise.race(both.map(({ exited }) => exited))
    expect(loser.code).toBe(1)
    expect((await fetch(`${winner}/api/v1/health`)).status).toBe(200)
    for (const { process } of both) process.kill('SIGKILL')
    await Promise.all(both.map(({ exited }) => exited))
  })
})

describe('SIGTERM', () => {
  it('lets requests finish that are under way: what is acknowledged is stored', async () => {
    const on = await storage()
    const child = await start(on)
    const uploads = await Promise.all(Array.from({ length: 3 }, (_, index) => beginUpload(child, `guide-${index}.md`)))
    const exited = child.stop('SIGTERM')
    await saysStopping(child)
    for (const { socket, rest } of uploads) socket.write(rest)
    const answers = await Promise.all(uploads.map(({ ended }) => ended))
    for (const answer of answers) expect(answer).toMatch(/HTTP\/1\.1 200 OK.*connection: close.*"status":"success"/is)
    expect(await exited).toEqual({ code: 0, signal: null })
    if (on.dataDir) expect(await controlState(on.dataDir)).toBe(SHUT_DOWN)

    const next = await start(on)
    console.info(`Start on an existing database: ${next.startedInMs} ms`)
    expect(await countDocuments(next)).toBe(3)
  })

  it('does not wait for callers who stall, however little time it has', async () => {
    const child = await start(await storage(), { SHUTDOWN_TIMEOUT_MS: '3000', HOST: '0.0.0.0' })
    expect(child.output()).toContain('no authentication, and whoever reaches 0.0.0.0 can do everything')
    const stalled = await beginUpload(child, 'stalled.md')
    const idle = await openConnection(child.port)
    expect(await child.stop('SIGTERM')).toEqual({ code: 0, signal: null })
    stalled.socket.destroy()
    idle.socket.destroy()
  })
})

/** An upload of which the server has taken the headers and waits for the body. */
async function beginUpload(child: Child, name: string) {
  const { body, contentType } = encodeForm('# Guide\n\nWords of the guide.', name, {})
  const { socket, received } = await openConnection(child.port)
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(received())))
  const headers = { 'content-type': contentType, 'content-length': String(body.length), expect: '100-continue' }
  socket.write(request('POST', '/api/v1/knowledge/ingest', headers))
  await vi.waitUntil(() => received().includes('100 Continue'), { timeout: 30_000, interval: 10 })
  return { socket, rest: body, ended }
}

async function saysStopping(child: Child): Promise<void> {
  await vi.waitUntil(() => child.output().includes('Stopping'), { timeout: 30_000, interval: 10 })
}

describe('a start that cannot succeed', () => {
  it('because its port is taken ends with 1, one line that says so, and a database that was closed', async () => {
    const first = await start(await storage())
    expect(first.output()).toContain('no authentication, and only this machine can connect')
    const on = await storage(newEmbedded)
    const { exited, output } = launch(on, { PORT: String(first.port) })
    expect((await exited).code).toBe(1)
    expect(output()).toMatch(/Frontdesk cannot start: it cannot listen on 127\.0\.0\.1 port \d+: another program/)
    expect(output()).not.toMatch(/^\s+at /m)
    expect(await controlState(on.dataDir ?? '')).toBe(SHUT_DOWN)
  })

  it.each([
    [
      'wrong settings, a line each',
      { PORT: 'x', MAX_UPLOAD_MB: '0' },
      /^Frontdesk cannot start: PORT must be .*\nFrontdesk cannot start: MAX_UPLOAD_MB must be .*\n$/,
    ],
    ['a server that is not there', { DATABASE_URL: 'postgres://u:secret-password@127.0.0.1:1/x' }, /cannot be reached/],
  ])('ends with 1 and a message for the operator: %s', async (_, environment, message) => {
    const { exited, output } = launch(await storage(newEmbedded), environment)
    expect((await exited).code).toBe(1)
    expect(output()).toMatch(message)
    expect(output()).not.toContain('secret-password')
  })
})
