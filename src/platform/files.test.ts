import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFiles } from './files.ts'

let folder: string
const at = (...names: string[]): string => join(folder, ...names)

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'files-')))
  await mkdir(at('open', 'deep'), { recursive: true })
  await mkdir(at('open', '.git'))
  await mkdir(at('open-too'))
  await mkdir(at('closed'))
  await writeFile(at('open', 'deep', 'a.txt'), 'text')
  await writeFile(at('open', '.env'), 'SECRET=1')
  await writeFile(at('open', '.git', 'config'), 'secret')
  await writeFile(at('open-too', 'b.txt'), 'b')
  await writeFile(at('closed', 'secret.txt'), 'secret')
  await symlink(at('closed', 'secret.txt'), at('open', 'link.txt'))
  await symlink(at('closed'), at('open', 'linked'))
  await symlink(at('open', 'deep', 'a.txt'), at('open', 'inside.txt'))
  await symlink(at('open', 'loop'), at('open', 'loop'))
  await symlink(at('open'), at('alias'))
})
afterAll(() => rm(folder, { recursive: true }))

const text = async (roots: string[], path: string, maxBytes = 1_000_000): Promise<string> =>
  (await createFiles(roots).read('path', path, maxBytes)).bytes.toString()
const refused = (detail: RegExp) =>
  expect.objectContaining({ kind: 'bad_request', message: expect.stringMatching(detail) })

describe('within roots', () => {
  it('reads files, links that stay inside, and through a root that is a link itself', async () => {
    expect(await text([at('open')], at('open', 'deep', 'a.txt'))).toBe('text')
    expect(await text([at('open')], at('open', 'inside.txt'))).toBe('text')
    expect(await text([at('alias')], at('open', 'deep', 'a.txt'))).toBe('text')
    expect(await text([at('open')], at('alias', 'deep', 'a.txt'))).toBe('text')
    expect(await text([at('missing'), at('open-too')], at('open-too', 'b.txt'))).toBe('b')
  })

  it.each([
    ['a file elsewhere', ['closed', 'secret.txt']],
    ['a link out', ['open', 'link.txt']],
    ['a folder that is a link out', ['open', 'linked', 'secret.txt']],
    ['a way up', ['open', 'deep', '..', '..', 'closed', 'secret.txt']],
    ['a folder whose name only begins like the root', ['open-too', 'b.txt']],
    ['a hidden file', ['open', '.env']],
    ['a file in a hidden folder', ['open', '.git', 'config']],
  ])('refuses %s', async (_, names) => {
    const path = names.reduce((all, name) => `${all}/${name}`, folder)
    await expect(text([at('open')], path)).rejects.toEqual(refused(/^path: lies outside/))
  })
})

describe.runIf(process.platform === 'linux')('while a folder is swapped for a link out, over and over', () => {
  /** Without a look at what was opened, about one read in a hundred shows the file outside. */
  const READS = 2_000

  it('never reads what lies outside', async () => {
    await mkdir(at('open', 'swapped'))
    await writeFile(at('open', 'swapped', 'secret.txt'), 'inside')
    const [here, aside, outside] = [at('open', 'swapped'), at('open', 'aside'), at('closed')].map((p) =>
      JSON.stringify(p),
    )
    const swap = `fs.renameSync(${here}, ${aside}); fs.symlinkSync(${outside}, ${here}); fs.unlinkSync(${here}); fs.renameSync(${aside}, ${here})`
    const worker = new Worker(`const fs = require('node:fs'); for (;;) { ${swap} }`, { eval: true })
    const seen = new Set<string>()
    for (let i = 0; i < READS; i++)
      seen.add(await text([at('open')], at('open', 'swapped', 'secret.txt')).catch(() => 'refused'))
    await worker.terminate()
    expect(seen).toEqual(new Set(['inside', 'refused']))
  })
})

describe('without roots', () => {
  it('reads anything but hidden files and system folders', async () => {
    expect(await text([], at('closed', 'secret.txt'))).toBe('secret')
    await expect(text([], at('open', '.env'))).rejects.toEqual(refused(/outside/))
    await expect(text([], '/etc/passwd')).rejects.toEqual(refused(/outside/))
    await expect(text([], '/proc/self/environ')).rejects.toEqual(refused(/outside|does not exist/))
    await expect(createFiles([]).findFolder('path', '/etc')).rejects.toEqual(refused(/outside/))
  })
})

describe('what lies outside', () => {
  /** Whatever stands at a path outside: nothing, a file, a folder, a link, what cannot be looked at. */
  const answers = async (roots: string[], paths: readonly string[]): Promise<Set<string>> => {
    const files = createFiles(roots)
    const said = paths.flatMap((path) =>
      [files.read('path', path, 10), files.findFolder('path', path), files.find('path', path)].map((answer) =>
        answer.then(
          () => 'found',
          (error: Error) => error.message,
        ),
      ),
    )
    return new Set(await Promise.all(said))
  }
  const ONE_ANSWER = new Set(['path: lies outside the folders that may be read'])

  beforeAll(async () => {
    await mkdir(at('closed', 'folder'))
    await symlink(at('closed', 'loop'), at('closed', 'loop'))
    await symlink(at('closed', 'nothing'), at('open', 'to-nothing'))
    await symlink(at('closed', 'nothing', 'further'), at('open', 'to-nothing-far'))
    await symlink(at('closed', 'loop'), at('open', 'to-loop'))
    await symlink('to-nothing', at('open', 'to-link-to-nothing'))
    await symlink('../../closed/nothing', at('open', 'deep', 'relative'))
  })

  it('has one answer, whether it is there and whatever it is', async () => {
    const closed = ['secret.txt', 'nothing', 'secret.txt/x', 'nothing/deeper/down', 'folder', 'loop', 'x'.repeat(300)]
    expect(await answers([at('open')], [...closed.map((name) => at('closed', name)), at('nowhere'), '/'])).toEqual(
      ONE_ANSWER,
    )
  })

  it('has the same answer through links, into folders and up from them', async () => {
    const linked = ['link.txt', 'linked/secret.txt', 'linked/nothing', 'linked/nothing/deeper', 'linked', 'linked/loop']
    const dangling = ['to-nothing', 'to-nothing-far', 'to-nothing/x', 'to-link-to-nothing', 'to-loop', 'deep/relative']
    const paths = [...linked, ...dangling].map((name) => at('open', name))
    expect(await answers([at('open')], [...paths, `${at('open')}/nothing/../../closed/x`])).toEqual(ONE_ANSWER)
  })

  it('has the same answer for what is hidden or the system’s, without roots too', async () => {
    const hidden = ['.env', '.nothing', '.git/config', '.git/nothing', '.none/nothing'].map((name) => at('open', name))
    expect(await answers([at('open')], hidden)).toEqual(ONE_ANSWER)
    const system = ['/etc/passwd', '/etc/nothing', '/etc', '/proc/self/nothing', '/var/lib/nothing/x']
    expect(await answers([], [...hidden, ...system])).toEqual(ONE_ANSWER)
  })

  it('says within the roots what is wrong', async () => {
    expect(await answers([at('open')], [at('open', 'nothing', 'deeper')])).toEqual(new Set(['path: does not exist']))
    expect(await answers([at('alias')], [at('alias', 'nothing')])).toEqual(new Set(['path: does not exist']))
  })
})

describe('what is no file', () => {
  it.each([
    ['missing', 'does not exist'],
    ['deep/a.txt/b', 'does not exist'],
    ['deep', 'is no regular file'],
    ['loop', 'is a link that leads nowhere'],
    ['x'.repeat(5_000), 'is too long'],
  ])('refuses %s', async (name, reason) => {
    await expect(text([at('open')], at('open', name))).rejects.toEqual(refused(new RegExp(`^path: ${reason}$`)))
  })

  it('refuses no path at all', async () => {
    await expect(text([], '')).rejects.toEqual(refused(/is no path/))
    await expect(text([], 'a\u0000b')).rejects.toEqual(refused(/is no path/))
  })

  it.skipIf(process.platform === 'win32')('refuses pipes without waiting for a writer, and devices', async () => {
    execFileSync('/usr/bin/env', ['mkfifo', at('open', 'pipe')])
    await expect(text([at('open')], at('open', 'pipe'))).rejects.toEqual(refused(/is no regular file/))
    await expect(text(['/dev'], '/dev/zero')).rejects.toEqual(refused(/is no regular file/))
  })

  it('refuses a file that is too large, saying the limit', async () => {
    await writeFile(at('open', 'large.txt'), Buffer.alloc(2 * 1_048_576))
    await expect(text([at('open')], at('open', 'large.txt'), 1_048_576)).rejects.toEqual(refused(/larger than 1 MiB/))
  })

  it('names a folder, and refuses a file in its place', async () => {
    const files = createFiles([at('open')])
    expect(await files.findFolder('dir_path', at('alias', 'deep'))).toBe(at('open', 'deep'))
    await expect(files.findFolder('dir_path', at('open', 'deep', 'a.txt'))).rejects.toEqual(refused(/is no folder/))
  })
})
