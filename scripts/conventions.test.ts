// Conventions that neither the compiler nor the linter can hold by themselves.
import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseSync } from '@swc/core'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const biome = join(root, 'node_modules/.bin/biome')
const sources = globSync('src/**/*.ts', { cwd: root }).filter((path) => !/\.(?:test|d)\.ts$/.test(path))

interface SyntaxNode {
  type: string
  [field: string]: unknown
}

describe('SQL stays in queries and platform/postgres', () => {
  const mayHoldSql = /^src\/(?:features\/.*queries\.ts$|platform\/postgres(?:\/|\.ts$))/

  test.each([
    ["db.run('select id from chunk where id = $1', [id])"],
    ['db.run(`\n  INSERT INTO chunk (id) VALUES ($1)`)'],
    ["const text = 'update session set status = $1'"],
    ['sql`now()`'],
    ['db.selectFrom("session").selectAll()'],
    ["db.run('with recent as (select 1) select * from recent')"],
  ])('finds it in %j', (source) => {
    expect(findSql(source)).toHaveLength(1)
  })

  test.each([
    ["throw new Error('Select a file from the list')"],
    ['// select id from chunk\nexport const a = 1'],
    ["const description = 'Update the settings, then set the level'"],
    ["events.emit('delete')"],
  ])('finds none in %j', (source) => {
    expect(findSql(source)).toEqual([])
  })

  test('in this project', () => {
    const misplaced = sources
      .filter((path) => !mayHoldSql.test(path))
      .flatMap((path) => findSql(readFileSync(join(root, path), 'utf8')).map((statement) => `${path}: ${statement}`))
    expect(misplaced).toEqual([])
  })
})

describe('sentences of comments begin with their noun', () => {
  test.each([
    ['// What is kept.'],
    ['/** Whoever asks. */'],
    ['/**\n * Texts of replies. Nobody\n * else has them.\n */'],
  ])('finds another beginning in %j', (source) => {
    expect(findNounless(source)).toHaveLength(1)
  })

  test.each([["const reply = 'Really? What else?'"], ['// Tells what is kept, for nobody else.']])(
    'finds none in %j',
    (source) => {
      expect(findNounless(source)).toEqual([])
    },
  )

  test('in this project', () => {
    const nounless = globSync('src/**/*.ts', { cwd: root }).flatMap((path) =>
      findNounless(readFileSync(join(root, path), 'utf8')).map((line) => `${path}: ${line}`),
    )
    expect(nounless).toEqual([])
  })
})

describe('functions are short', () => {
  test('at most 5 % of them are longer than 50 lines', () => {
    const count = sources.map((path) => countFunctions(readFileSync(join(root, path), 'utf8')))
    const total = count.reduce((sum, functions) => sum + functions, 0)
    expect(total).toBeGreaterThan(0)
    expect(longFunctions().length / total, longFunctions().join('\n')).toBeLessThanOrEqual(0.05)
  })
})

describe('the linter', () => {
  const overlong = Array.from({ length: 401 }, (_, line) => `export const value${line} = ${line}\n`).join('')
  const planted: [path: string, source: string, rule: string][] = [
    ['src/features/chat/service.ts', 'export const port = process.env.PORT', 'lint/style/noProcessEnv'],
    ['src/app.ts', "import { env } from 'node:process'\nexport const port = env.PORT", 'lint/style/noProcessEnv'],
    ['src/kernel/long.ts', overlong, 'lint/style/noExcessiveLinesPerFile'],
    ['src/kernel/default.ts', 'export default 1', 'lint/style/noDefaultExport'],
    ['src/kernel/log.ts', "console.log('x')", 'lint/suspicious/noConsole'],
    ['src/kernel/any.ts', 'export const a = (b: any) => b', 'lint/suspicious/noExplicitAny'],
  ]
  const found = lintTree([...planted, ['src/config.ts', 'export const port = process.env.PORT', '']])

  test.each(planted)('catches what %s plants', (path, _source, rule) => {
    expect(found.filter((problem) => problem.path === path)).toEqual([{ path, rule, severity: 'error' }])
  })

  test('lets config.ts read the environment', () => {
    expect(found.filter(({ path }) => path === 'src/config.ts')).toEqual([])
  })
})

/** Lines of comments in which a sentence begins with a word that stands for its noun. */
function findNounless(source: string): string[] {
  const beginning = /^\s*(?:\/\/|\/\*\*|\*)(?:.*[.?!:;])? (?:What|Whoever|Nobody)\b/
  return source.split('\n').filter((line) => beginning.test(line))
}

/** String and template literals that read as SQL statements, and uses of the query builder, in order of appearance. */
function findSql(source: string): string[] {
  const found: string[] = []
  visit(parse(source), (node) => {
    const text = sqlIn(node)
    if (text !== undefined) found.push(text)
  })
  return found
}

function sqlIn(node: SyntaxNode): string | undefined {
  if (node.type === 'TaggedTemplateExpression') return nameOf(node.tag) === 'sql' ? 'sql`…`' : undefined
  if (node.type === 'MemberExpression') {
    const name = nameOf(node.property)
    return /^(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto)$/.test(name) ? `.${name}` : undefined
  }
  const text = literalText(node)
  return text !== undefined && readsAsSql(text) ? text.trim().slice(0, 60) : undefined
}

/** Keywords in one case throughout: "Select" begins an English sentence, "select" and "SELECT" a statement. */
function readsAsSql(text: string): boolean {
  const statements = [
    'select\\s[^]*\\sfrom\\s',
    'insert\\s+into\\s',
    'update\\s+\\S+\\s+set\\s',
    'delete\\s+from\\s',
    'with\\s+\\S+\\s+as\\s+\\(',
    '(?:create|alter|drop)\\s+(?:unique\\s+)?(?:table|index|extension|schema|type|function|view|trigger|sequence)\\s',
    'truncate\\s+(?:table\\s)?',
    'listen\\s+\\S+$',
    'notify\\s+\\S+',
  ]
  const start = (keywords: string) => new RegExp(`^\\s*(?:${keywords})`)
  return statements.some((lower) => start(lower).test(text) || start(upperCaseWords(lower)).test(text))
}

/** Escapes such as `\s` keep their case, because it is part of their meaning. */
function upperCaseWords(pattern: string): string {
  return pattern.replace(/\\?[a-z]+/g, (word) =>
    word.startsWith('\\') ? word.slice(0, 2) + word.slice(2).toUpperCase() : word.toUpperCase(),
  )
}

function literalText(node: SyntaxNode): string | undefined {
  if (node.type === 'StringLiteral') return node.value as string
  if (node.type !== 'TemplateLiteral') return undefined
  return (node.quasis as { raw: string }[]).map(({ raw }) => raw).join('$1')
}

function nameOf(node: unknown): string {
  return String((node as { value?: unknown }).value ?? '')
}

/** Functions with a block for a body; `(x) => x + 1` could not be long. */
function countFunctions(source: string): number {
  let count = 0
  visit(parse(source), ({ type }) => {
    if (type === 'FunctionBody') count++
  })
  return count
}

function longFunctions(): string[] {
  const problems = biomeLint(root, ['--only=complexity/noExcessiveLinesPerFunction'])
  return problems
    .map(({ location }) => `${location.path}:${location.start.line}`)
    .filter((at) => !at.includes('.test.ts:'))
}

/** Lints files in a folder of their own with this project's configuration. */
function lintTree(files: [path: string, source: string, rule: string][]) {
  const folder = mkdtempSync(join(tmpdir(), 'lint-rules-'))
  cpSync(join(root, 'biome.json'), join(folder, 'biome.json'))
  for (const [path, source] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), `${source}\n`)
  }
  const problems = biomeLint(folder, ['--diagnostic-level=error'])
  rmSync(folder, { recursive: true })
  return problems.map(({ location, category, severity }) => ({ path: location.path, rule: category, severity }))
}

interface Diagnostic {
  category: string
  severity: string
  location: { path: string; start: { line: number } }
}

function biomeLint(cwd: string, args: string[]): Diagnostic[] {
  const fixed = ['lint', '--reporter=json', '--max-diagnostics=none', 'src']
  const { stdout } = spawnSync(biome, [...fixed, ...args], { cwd, encoding: 'utf8' })
  return (JSON.parse(stdout) as { diagnostics: Diagnostic[] }).diagnostics
}

function parse(source: string): SyntaxNode {
  return parseSync(source, { syntax: 'typescript', target: 'es2022' }) as unknown as SyntaxNode
}

function visit(value: unknown, use: (node: SyntaxNode) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, use)
  } else if (typeof value === 'object' && value !== null) {
    if ('type' in value) use(value as SyntaxNode)
    for (const child of Object.values(value)) visit(child, use)
  }
}
