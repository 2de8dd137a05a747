import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { buildWeb, isWebBuilt } from './build-web.mjs'

const PROJECT = join(import.meta.dirname, '..')
const CONFIG = `import { join } from 'node:path'
export default { root: join(import.meta.dirname, 'console'), build: { emptyOutDir: true } }`

let root: string
let said: string[]

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'build-web-'))
  said = []
  for (const folder of ['web/console', 'clients/typescript/src', 'sample/help-centre']) {
    mkdirSync(join(root, folder), { recursive: true })
  }
  symlinkSync(join(PROJECT, 'node_modules'), join(root, 'node_modules'))
  writeFileSync(join(root, 'package-lock.json'), '{}')
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(root, 'web/vite.config.ts'), CONFIG)
  writeFileSync(join(root, 'web/console/index.html'), '<script type="module" src="./main.ts"></script>')
  writeFileSync(join(root, 'web/console/main.ts'), 'document.title = "one"')
})
afterEach(() => rmSync(root, { recursive: true }))

const build = () => buildWeb({ root, env: process.env, say: (line) => void said.push(line) })
const page = () => readFileSync(join(root, '.cache/web/index.html'), 'utf8')

describe('the pages', () => {
  test('are built once, with their compressed forms, and again when a source changed', async () => {
    expect(isWebBuilt(root)).toBe(false)
    expect(await build()).toBe(true)
    expect(readFileSync(join(root, '.cache/web/index.html.br')).length).toBeGreaterThan(0)
    expect(isWebBuilt(root)).toBe(true)
    const first = page()
    said = []
    expect(await build()).toBe(true)
    expect(said).toEqual([])
    writeFileSync(join(root, 'web/console/main.ts'), 'document.title = "two"')
    expect(isWebBuilt(root)).toBe(false)
    expect(await build()).toBe(true)
    expect(page()).not.toBe(first)
  })

  test('that cannot be built are said to be so, and those of before stay', async () => {
    await build()
    const before = page()
    writeFileSync(join(root, 'web/console/main.ts'), 'const = broken')
    expect(await build()).toBe(false)
    expect(said.join('\n')).toMatch(/Building the console failed[\s\S]*main\.ts/)
    expect(page()).toBe(before)
  })

  test('need no sources where there are none, as in an image', () => {
    rmSync(join(root, 'web'), { recursive: true })
    expect(isWebBuilt(root)).toBe(true)
  })
})
