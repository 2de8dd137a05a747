import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

interface Rule {
  name: string
}
interface Configuration {
  forbidden: Rule[]
  options: Record<string, unknown> & { enhancedResolveOptions: object }
}
type Tree = Record<string, string>

const projectRoot = join(import.meta.dirname, '../..')
let configuration: Configuration
let temporaryFolder: string

beforeAll(async () => {
  const path = join(projectRoot, '.dependency-cruiser.js')
  configuration = (await import(path)).default
  temporaryFolder = mkdtempSync(join(tmpdir(), 'import-rules-'))
})
afterAll(() => rmSync(temporaryFolder, { recursive: true }))

/** One violation per rule, each the smallest tree in which that rule and no other is broken. */
const VIOLATIONS: { rule: string; planted: string; tree: Tree }[] = [
  { rule: 'kernel-imports-nothing', ...importing('src/kernel/a.ts', 'src/platform/log.ts') },
  { rule: 'kernel-imports-nothing', ...importing('src/kernel/a.ts', 'src/http/b.ts', 'import type') },
  { rule: 'http-imports-kernel', ...importing('src/http/a.ts', 'src/platform/log.ts') },
  { rule: 'http-imports-kernel', ...importing('src/http/a.ts', 'src/features/chat/index.ts') },
  { rule: 'platform-imports-kernel', ...importing('src/platform/log.ts', 'src/ai/model.ts', 'import type') },
  { rule: 'language-imports-kernel', ...importing('src/language/fold.ts', 'src/privacy/text.ts') },
  { rule: 'privacy-imports-language-and-kernel', ...importing('src/privacy/text.ts', 'src/ai/model.ts') },
  { rule: 'ai-imports-language-platform-and-kernel', ...importing('src/ai/model.ts', 'src/privacy/text.ts') },
  {
    rule: 'ai-imports-language-platform-and-kernel',
    ...importing('src/ai/model.ts', 'src/features/chat/index.ts'),
  },
  { rule: 'config-imports-kernel', ...importing('src/config.ts', 'src/platform/log.ts') },
  { rule: 'root-is-the-top', ...importing('src/features/chat/service.ts', 'src/config.ts', 'import type') },
  {
    rule: 'feature-entered-by-its-door',
    ...importing('src/features/chat/service.ts', 'src/features/tuning/params.ts'),
  },
  {
    rule: 'feature-entered-by-its-door',
    ...importing('src/features/chat/service.ts', 'src/features/tuning/rules/index.ts', 'import type'),
  },
  { rule: 'features-entered-by-their-door', ...importing('src/app.ts', 'src/features/chat/service.ts') },
  { rule: 'features-entered-by-their-door', ...importing('test/journeys/chat.ts', 'src/features/chat/service.ts') },
  {
    rule: 'no-cycle-between-features',
    planted: 'chat imports tuning, and a subfolder of tuning imports a type of chat',
    tree: {
      'src/features/chat/index.ts': "import { b } from '../tuning/index.ts'\nexport const a = b",
      'src/features/tuning/index.ts': 'export const b = 1',
      'src/features/tuning/rules/apply.ts': "import type { a } from '../../chat/index.ts'\nexport type C = typeof a",
    },
  },
  {
    rule: 'routes-import-http-and-kernel',
    ...importing('src/features/chat/routes.ts', 'src/features/tuning/index.ts'),
  },
  { rule: 'routes-import-http-and-kernel', ...importing('src/features/chat/stream-routes.ts', 'src/ai/model.ts') },
  { rule: 'routes-import-http-and-kernel', ...importing('src/features/chat/schemas.ts', 'src/platform/log.ts') },
  { rule: 'queries-import-postgres', ...importing('src/features/chat/queries.ts', 'src/kernel/ids.ts') },
  { rule: 'queries-import-postgres', ...importing('src/features/chat/turn/queries.ts', 'src/platform/log.ts') },
  { rule: 'queries-import-own-types', ...importing('src/features/chat/queries.ts', 'src/features/chat/turns.ts') },
  { rule: 'feature-knows-no-http', ...importing('src/features/chat/service.ts', 'src/http/events.ts', 'import type') },
  {
    rule: 'feature-takes-platform-as-types',
    ...importing('src/features/chat/service.ts', 'src/platform/postgres/client.ts'),
  },
  { rule: 'feature-takes-platform-as-types', ...importing('src/features/chat/index.ts', 'src/platform/log.ts') },
  {
    rule: 'feature-takes-platform-as-types',
    planted: 'a dynamic import of platform inside a function of a pure file',
    tree: {
      'src/features/chat/ranking.ts':
        "export async function log() { if (true) { return await import('../../platform/log.ts') } }",
      'src/platform/log.ts': '',
    },
  },
  { rule: 'fastify-in-routes-only', ...importing('src/features/chat/service.ts', 'fastify', 'import type') },
  { rule: 'fastify-in-routes-only', ...importing('src/platform/metrics.ts', '@fastify/static') },
  { rule: 'database-driver-in-postgres-only', ...importing('src/features/chat/service.ts', 'kysely') },
  { rule: 'database-driver-in-postgres-only', ...importing('src/platform/log.ts', 'pg') },
  { rule: 'no-development-dependency-in-src', ...importing('src/kernel/ids.ts', 'fast-check') },
  { rule: 'src-stands-alone', ...importing('src/kernel/ids.ts', 'test/support/clock.ts') },
  {
    rule: 'no-circular-import',
    planted: 'two modules of one folder import each other',
    tree: {
      'src/kernel/a.ts': "import { b } from './b.ts'\nexport const a = () => b",
      'src/kernel/b.ts': "import { a } from './a.ts'\nexport const b = () => a",
    },
  },
  {
    rule: 'no-unresolvable-import',
    planted: 'an import of a file that is not there',
    tree: { 'src/kernel/a.ts': "export * from './absent.ts'" },
  },
]

/** What the table allows, in one tree that touches every line of it. */
const ALLOWED: Tree = {
  ...importing('src/main.ts', 'src/app.ts').tree,
  ...importing('src/app.ts', ['src/config.ts', 'src/features/chat/index.ts', 'src/platform/log.ts', 'fastify']).tree,
  ...importing('src/config.ts', 'src/kernel/ids.ts').tree,
  ...importing('src/features/chat/index.ts', ['src/features/chat/service.ts', 'src/features/chat/routes.ts']).tree,
  ...importing('src/features/chat/routes.ts', [
    'src/features/chat/schemas.ts',
    'src/http/errors.ts',
    'src/kernel/ids.ts',
    'fastify',
  ]).tree,
  ...importing('src/features/chat/service.ts', [
    'src/features/tuning/index.ts',
    'src/features/chat/turns/fold.ts',
    'src/features/chat/queries.ts',
    'src/ai/model.ts',
    'src/privacy/text.ts',
    'src/kernel/ids.ts',
  ]).tree,
  ...importing('src/features/chat/turns/fold.ts', 'src/platform/log.ts', 'import type').tree,
  ...importing('src/features/chat/queries.ts', ['src/platform/postgres/client.ts', 'kysely']).tree,
  ...importing('src/features/tuning/queries.ts', 'src/features/tuning/types.ts', 'import type').tree,
  ...importing('src/features/tuning/service.test.ts', ['src/features/chat/service.ts', 'test/support/clock.ts']).tree,
  ...importing('src/ai/model.ts', ['src/platform/log.ts', 'src/language/fold.ts', 'src/kernel/ids.ts']).tree,
  ...importing('src/privacy/text.ts', ['src/language/fold.ts', 'src/kernel/ids.ts']).tree,
  ...importing('src/language/fold.ts', 'src/kernel/ids.ts').tree,
  ...importing('src/http/errors.ts', ['src/kernel/ids.ts', 'fastify']).tree,
  ...importing('src/platform/postgres/client.ts', ['src/platform/log.ts', 'src/kernel/ids.ts', 'pg']).tree,
  ...importing('src/platform/log.ts', 'src/kernel/ids.ts').tree,
}

describe('the import rules', () => {
  test.each(VIOLATIONS)('$rule fires on $planted', async ({ rule, tree }) => {
    const result = await cruiseTree(plant(tree))
    expect(violated(result)).toEqual([rule])
  })

  test('every rule has a planted violation', () => {
    const names = configuration.forbidden.map(({ name }) => name)
    expect(new Set(VIOLATIONS.map(({ rule }) => rule))).toEqual(new Set(names))
  })

  test('what the table allows passes', async () => {
    const result = await cruiseTree(plant(ALLOWED))
    expect(violations(result)).toEqual([])
  })

  test('this project keeps them', async () => {
    const result = await cruiseTree(projectRoot)
    expect(violations(result)).toEqual([])
    expect(result.modules.map(({ source }) => source)).toContain('src/kernel/errors.ts')
  })
})

/** A tree in which `from` imports `to`: a file of ours, or a package. Files that are only imported are left out of `tree`. */
function importing(
  from: string,
  to: string | string[],
  keyword: 'import' | 'import type' = 'import',
): { planted: string; tree: Tree } {
  const targets = [to].flat()
  const lines = targets.map((target, index) => `${keyword} { x as x${index} } from '${specifier(from, target)}'`)
  return { planted: `${from} with ${keyword} of ${targets.join(', ')}`, tree: { [from]: lines.join('\n') } }
}

function specifier(from: string, to: string): string {
  return to.endsWith('.ts') ? `${dirname(from).replaceAll(/[^/]+/g, '..')}/${to}` : to
}

/** Writes `tree`, and an empty module for each import that leads to nothing but the one that says it is absent. */
function plant(tree: Tree): string {
  const root = mkdtempSync(join(temporaryFolder, 'tree-'))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  for (const [path, text] of Object.entries(tree)) {
    write(path, text)
    for (const target of importedFiles(path, text)) if (!(target in tree)) write(target, 'export const x = 1')
  }
  writePackages(write)
  return root
}

function importedFiles(path: string, text: string): string[] {
  const specifiers = [...text.matchAll(/from '(\.[^']+)'/g)].map((match) => match[1] ?? '')
  return specifiers.map((file) => join(dirname(path), file)).filter((file) => !file.includes('absent'))
}

function writePackages(write: (path: string, text: string) => void): void {
  const dependencies = ['fastify', '@fastify/static', 'kysely', 'pg']
  const devDependencies = ['fast-check']
  const versions = (names: string[]) => Object.fromEntries(names.map((name) => [name, '1.0.0']))
  write(
    'package.json',
    JSON.stringify({ dependencies: versions(dependencies), devDependencies: versions(devDependencies) }),
  )
  for (const name of [...dependencies, ...devDependencies]) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' }))
    write(`node_modules/${name}/index.js`, '')
  }
}

async function cruiseTree(baseDir: string): Promise<ICruiseResult> {
  const { options, forbidden } = configuration
  const { enhancedResolveOptions, ...rest } = options
  const folders = ['src', 'test'].filter((folder) => existsSync(join(baseDir, folder)))
  const { output } = await cruise(folders, {
    ...rest,
    baseDir,
    validate: true,
    ruleSet: { forbidden },
    enhancedResolveOptions,
  } as Parameters<typeof cruise>[1])
  return output as ICruiseResult
}

function violations(result: ICruiseResult): string[] {
  return result.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)
}

function violated(result: ICruiseResult): string[] {
  return [...new Set(result.summary.violations.map(({ rule }) => rule.name))]
}
