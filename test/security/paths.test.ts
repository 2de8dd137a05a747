import { mkdir, mkdtemp, realpath, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFiles } from '../../src/platform/files.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const SECRET = 'the content of a file outside'
let folder: string
let test: TestApp
const inside = (...names: string[]) => join(folder, 'help', ...names)
const outside = (...names: string[]) => join(folder, 'outside', ...names)

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'frontdesk-paths-')))
  await mkdir(inside('deep'), { recursive: true })
  await mkdir(outside())
  await mkdir(join(folder, 'help-not'))
  await writeFile(inside('a.md'), '# Returns\n\nWithin 14 days.')
  await writeFile(outside('secret.md'), SECRET)
  await writeFile(join(folder, 'help-not', 'secret.md'), SECRET)
  await symlink(outside('secret.md'), inside('link.md'))
  await symlink(outside(), inside('linked'))
  test = await createTestApp({ FILE_ROOTS: join(folder, 'help') })
})
afterAll(async () => {
  await test.close()
  await rm(folder, { recursive: true })
})

/** Ways out of a folder, as paths, as URLs and as other systems write them. */
const ESCAPES = [
  ...['../outside/secret.md', 'deep/../../outside/secret.md', './/../outside/secret.md', '..\\outside\\secret.md'],
  ...['..%2foutside%2fsecret.md', '%2e%2e/outside/secret.md', '..%252foutside/secret.md', '..%c0%afoutside/secret.md'],
  ...['....//outside/secret.md', '..;/outside/secret.md', '\u2024\u2024/outside/secret.md', '../help-not/secret.md'],
  ...['link.md', 'linked/secret.md', 'a.md\u0000.md', '.env', 'deep/.git/config'],
]

describe('a path in a request', () => {
  const targets = (): string[] => [
    ...ESCAPES.map((way) => `${inside()}/${way}`),
    ...[
      outside('secret.md'),
      '/etc/passwd',
      '/proc/self/environ',
      '/dev/zero',
      `file://${outside('secret.md')}`,
      '~/.ssh/id_rsa',
    ],
  ]

  it('reads nothing outside of FILE_ROOTS, and shows nothing of it', async () => {
    for (const path of targets()) {
      const update = await test.call('POST', '/api/v1/update/file', { file_path: path })
      const evaluation = await test.call('POST', '/api/v1/evaluation/run', { testset_path: path })
      for (const { status, body } of [update, evaluation]) {
        expect([400, 422], path).toContain(status)
        expect(JSON.stringify(body), path).not.toContain('the content')
        expect(JSON.stringify(body), path).not.toContain('root:')
      }
    }
    expect((await test.call('GET', '/api/v1/knowledge/stats')).body.total_chunks).toBe(0)
  })

  it('scans no folder outside, and follows no link out of one', async () => {
    for (const path of [outside(), `${inside()}/../outside`, inside('linked'), '/etc', '/']) {
      const { status } = await test.call('POST', '/api/v1/update/incremental', { dir_path: path })
      expect(status, path).toBe(400)
    }
    const { body } = await test.call('POST', '/api/v1/update/incremental', { dir_path: inside() })
    expect(body).toMatchObject({ added: 1 })
    const { body: chat } = await test.call('POST', '/api/v1/agent/sessions/s/knowledge-recommend', { query: SECRET })
    expect(JSON.stringify(chat)).not.toContain('the content')
  })

  it('stays in its folder whatever it is made of', async () => {
    const files = createFiles([inside()])
    const segment = fc.constantFrom(
      '..',
      '.',
      '',
      'deep',
      'linked',
      'link.md',
      'outside',
      'secret.md',
      'help-not',
      '%2e%2e',
      '..\\',
      '~',
    )
    const property = fc.asyncProperty(fc.array(segment, { maxLength: 7 }), async (segments) => {
      const read = await files.read('path', [inside(), ...segments].join('/'), 1_000).catch(() => null)
      if (read) expect(read.bytes.toString()).not.toBe(SECRET)
    })
    await fc.assert(property, { numRuns: 300 })
  })

  it('that becomes a link between the check and the opening shows nothing', async () => {
    const files = createFiles([inside()])
    const path = inside('swapped.md')
    let swapping = true
    const swaps = (async () => {
      while (swapping) {
        await writeFile(path, 'inside')
        await unlink(path)
        await symlink(outside('secret.md'), path)
        await unlink(path)
      }
    })()
    const seen = new Set<string>()
    for (let i = 0; i < 500; i++) {
      seen.add(
        await files.read('path', path, 1_000).then(
          ({ bytes }) => bytes.toString(),
          () => 'refused',
        ),
      )
    }
    swapping = false
    await swaps
    seen.delete('')
    expect([...seen].filter((content) => content !== 'inside' && content !== 'refused')).toEqual([])
    expect(seen).toContain('refused')
  })
})

describe('a path in the URL', () => {
  it.each(ESCAPES.map((way) => encodeURI(way).replaceAll('%25', '%')))(
    'leads to no file of this machine: %s',
    async (way) => {
      for (const base of ['/docs/', '/docs/static/', '/redoc/', '/', '/api/v1/knowledge/documents/']) {
        const response = await test.app.inject({ url: base + way })
        expect(response.body, base).not.toContain('the content')
        expect(response.headers['content-type'], base).toMatch(/^application\/json/)
        expect(response.statusCode, base).toBeLessThan(500)
      }
    },
  )

  it.each([
    '/docs/static/..%2f..%2f..%2fpackage.json',
    '/docs/static/%2e%2e/%2e%2e/package.json',
    '/docs/static/../../package.json',
  ])('does not climb out of the assets: %s', async (url) => {
    const response = await test.app.inject({ url })
    expect([400, 404]).toContain(response.statusCode)
    expect(response.body).not.toContain('"dependencies"')
  })
})

describe('the name of an uploaded file', () => {
  it.each(['../../../tmp/escaped.md', '/tmp/escaped.md', '..\\..\\escaped.md', 'C:\\escaped.md'])(
    'names no place: %s',
    async (name) => {
      const { status, body } = await test.upload('# Escaped\n\nNothing is written by name.', name, { register: 'true' })
      expect(status).toBe(200)
      expect(body.source).toBe('escaped.md')
    },
  )
})
