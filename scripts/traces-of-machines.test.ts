// What is committed says nothing of the machine that it was written on: such a line breaks elsewhere, or tells too much.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
/** Nothing of these is committed, so whatever they hold is nobody's business: see .gitignore. */
const IGNORED = new Set([
  'node_modules',
  '.git',
  '.cache',
  '.pgserver',
  'data',
  'tmp',
  'coverage',
  '.env',
  'sbom.cdx.json',
])

const PATH_OF_A_MACHINE =
  /(?<![\w./-])(?:\/(?:work|workspace|workspaces|root|mnt|builds?)\/[\w.-]|\/(?:home|Users)\/(?!node\b)[\w.-]+|[A-Z]:\\Users\\)/
/** A host that serves packages, and is not the public one that every client knows by itself. */
const REGISTRY =
  /https?:\/\/(?!registry\.npmjs\.org)[\w.-]*(?:registry|artifact|nexus|verdaccio|npm-?mirror|npmmirror|pypi|jfrog|codeartifact)[\w.-]*|_auth[T]oken|^\s*(?:@[\w-]+:)?registry\s*=/im

function findTraces(text: string): string[] {
  return text.split('\n').filter((line) => PATH_OF_A_MACHINE.test(line) || REGISTRY.test(line))
}

/** With those that begin with a dot, which a glob leaves out. */
function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !IGNORED.has(name))
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : []
  })
}

describe('traces of a machine', () => {
  // Joined here, or this file would be the first that is found.
  const at = (...parts: string[]) => parts.join('/')
  test.each([
    `see ${at('', 'work', 'main', 'src')}`,
    `cd ${at('', 'home', 'anna', 'shop')} && npm start`,
    `"${at('', 'Users', 'anna', 'shop')}"`,
    `${at('', 'root', '.npm')}`,
    `"resolved": "${at('https:', '', 'artifacts.shop.example', 'npm')}"`,
    `${at('https:', '', 'nexus.shop.example')}`,
    `regis${'try'}=https:${'//'}packages.shop.example/`,
    `//packages.shop.example/:_auth${'Token'}=abc`,
  ])('are found in %j', (line) => expect(findTraces(`first\n${line}\nlast`)).toEqual([line]))

  test.each([
    'src/work/queue.ts',
    'https://shop.example/work/one',
    'https://registry.npmjs.org/fastify',
    'USER node, whose folder is /home/node',
    'const registry = createBreakerRegistry({ clock })',
    'the root/branch of a tree',
  ])('are not found in %j', (line) => expect(findTraces(line)).toEqual([]))

  test('are in no file of this project', () => {
    const files = filesBelow(root)
    expect(files).toContain(join(root, '.npmrc'))
    expect(files).toContain(join(root, 'package-lock.json'))
    const found = files.flatMap((file) => {
      const text = readFileSync(file, 'utf8')
      return text.includes('\0') ? [] : findTraces(text).map((line) => `${file.slice(root.length + 1)}: ${line}`)
    })
    expect(found).toEqual([])
  })
})
