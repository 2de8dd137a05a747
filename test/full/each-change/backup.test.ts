import { spawn } from 'node:child_process'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { type Child, newEmbedded, type Storage, startChild } from '../../contract/support/child.ts'
import { encodeForm } from '../../support/test-app.ts'

const children: Child[] = []
const folders: string[] = []
afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => child.stop('SIGKILL')))
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
})

async function newDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-backup-'))
  folders.push(folder)
  return folder
}

async function start(dataDir: string): Promise<Child> {
  const storage: Storage = { environment: { DATA_DIR: dataDir, DATABASE_URL: '' }, dataDir, remove: async () => {} }
  const child = await startChild(storage)
  children.push(child)
  return child
}

async function newService(): Promise<{ child: Child; dataDir: string }> {
  const dataDir = (await newEmbedded()).dataDir as string
  folders.push(dataDir)
  return { child: await start(dataDir), dataDir }
}

/** `node scripts/NAME.ts …`, as npm runs it. */
function run(
  name: 'backup' | 'restore',
  args: string[],
  dataDir: string,
  more: Record<string, string> = {},
): Promise<{ code: number | null; said: string }> {
  const script = new URL(`../../../scripts/${name}.ts`, import.meta.url).pathname
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, ...more }
  const child = spawn(process.execPath, [script, ...args], { cwd: tmpdir(), env, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, said })))
}

async function upload({ origin }: Child, name: string): Promise<void> {
  const { body, contentType } = encodeForm(`# Guide ${name}\n\nThe code of ${name} is ${name}.`, name, {
    register: 'true',
  })
  const headers = { 'content-type': contentType }
  const response = await fetch(`${origin}/api/v1/knowledge/ingest`, { method: 'POST', headers, body })
  if (response.status !== 200) throw new Error(`${name}: ${response.status}`)
  await response.body?.cancel()
}

async function ask({ origin }: Child, sessionId: string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ session_id: sessionId, message: `What is the code of ${sessionId}?` })
  const response = await fetch(`${origin}/api/v1/chat`, { method: 'POST', headers, body })
  if (response.status !== 200) throw new Error(`${sessionId}: ${response.status}`)
  await response.body?.cancel()
}

async function read<T>({ origin }: Child, path: string): Promise<T> {
  return (await (await fetch(`${origin}/api/v1${path}`)).json()) as T
}

/** Repeats `work` with a growing number until told to stop; `done` holds what was acknowledged. */
function keepDoing(name: string, work: (id: string) => Promise<void>) {
  const done: string[] = []
  let going = true
  const ended = (async () => {
    for (let i = 0; going; i++) {
      await work(`${name}-${i}`)
      done.push(`${name}-${i}`)
      // Leaves the backup its share of a small machine.
      await sleep(20)
    }
  })()
  const stop = (): Promise<void> => {
    going = false
    return ended
  }
  return { done, stop }
}

it('backs up while uploads and chats go on, and all that was acknowledged before is in it', async () => {
  const { child, dataDir } = await newService()
  const archive = join(await newDir(), 'backup.tar.gz')
  const uploads = keepDoing('upload', (id) => upload(child, `${id}.md`))
  const chats = keepDoing('chat', (id) => ask(child, id))
  while (uploads.done.length < 3 || chats.done.length < 5) await sleep(20)
  const before = { uploads: [...uploads.done], chats: [...chats.done] }
  expect(await run('backup', [archive], dataDir)).toMatchObject({ code: 0, said: expect.stringContaining('asking it') })
  for (const args of [[archive], [archive, '--force']]) {
    const { code, said } = await run('restore', args, dataDir)
    expect(code).toBe(1)
    expect(said).toContain('is in use by another Frontdesk')
  }
  const during = uploads.done.length - before.uploads.length + chats.done.length - before.chats.length
  await Promise.all([uploads.stop(), chats.stop()])
  expect(during).toBeGreaterThan(0)
  expect((await stat(archive)).mode & 0o777).toBe(0o600)
  await child.stop('SIGTERM')
  expect((await readdir(dataDir)).sort()).toEqual(['.lock', 'holder', 'lock', 'postgres'])

  const restored = join(await newDir(), 'data')
  expect(await run('restore', [archive], restored)).toMatchObject({ code: 0 })
  const again = await start(restored)
  const { items } = await read<{ items: { source: string }[] }>(again, '/knowledge/documents?limit=200')
  const sources = new Set(items.map(({ source }) => source))
  expect(before.uploads.filter((id) => !sources.has(`${id}.md`))).toEqual([])
  for (const id of before.chats) {
    const messages = await read<{ messages?: unknown[] } & unknown[]>(again, `/chat/sessions/${id}/messages`)
    expect(JSON.stringify(messages), id).toContain(`What is the code of ${id}?`)
  }
  await upload(again, 'after.md')
  const answer = await fetch(`${again.origin}/api/v1/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: `What is the code of ${before.uploads[0]}?` }),
  })
  expect(await answer.text()).toContain(`${before.uploads[0]}.md`)
})

it('says how it is called, and what to do where a server keeps the data', async () => {
  const dataDir = await newDir()
  for (const args of [[], ['a.tar.gz', 'b.tar.gz'], ['--no-such-option', 'a.tar.gz']]) {
    expect(await run('backup', args, dataDir)).toMatchObject({
      code: 2,
      said: expect.stringContaining('Usage: npm run backup'),
    })
  }
  const onServer = { DATABASE_URL: 'postgres://user:hush@127.0.0.1/desk' }
  for (const [name, tool] of [
    ['backup', 'pg_dump'],
    ['restore', 'pg_restore'],
  ] as const) {
    const { code, said } = await run(name, ['a.tar.gz'], dataDir, onServer)
    expect([code, said.split('\n').length]).toEqual([1, 4])
    expect(said).toContain(tool)
    expect(said).not.toContain('hush')
  }
  const missing = await run('restore', ['a.tar.gz'], dataDir)
  expect(missing).toMatchObject({ code: 1, said: expect.stringContaining('a.tar.gz') })
  expect(missing.said).not.toMatch(/^\s+at /m)
})
