import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from '@swc/core'

/** Every regular expression of the service, and texts that make a careless one slow. */
export interface FoundPattern {
  file: string
  pattern: RegExp
}

const ROOT = new URL('../../', import.meta.url).pathname

export function findPatterns(): FoundPattern[] {
  const files = globSync('src/**/*.ts', { cwd: ROOT }).filter((file) => !/\.(?:test|d)\.ts$/.test(file))
  return files.flatMap((file) =>
    patternsIn(readFileSync(join(ROOT, file), 'utf8')).map((pattern) => ({ file, pattern })),
  )
}

export function patternsIn(source: string): RegExp[] {
  const found: RegExp[] = []
  visit(parseSync(source, { syntax: 'typescript', target: 'es2022' }), (node) => {
    if (node.type !== 'RegExpLiteral') return
    const { pattern, flags } = node as unknown as { pattern: string; flags: string }
    // Every place is tried, as `replace` and `matchAll` do.
    found.push(new RegExp(pattern, [...new Set(`${flags.replace('y', '')}g`)].join('')))
  })
  return found
}

function visit(value: unknown, use: (node: { type: string }) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, use)
  else if (typeof value === 'object' && value !== null) {
    if ('type' in value) use(value as { type: string })
    for (const child of Object.values(value)) visit(child, use)
  }
}

/** Characters that stand for the classes a pattern may name. */
const OF_CLASS: [RegExp, string][] = [
  [/\\p\{Lu|A-Z/, 'Aa '],
  [/\\d|0-9|\\p\{N/, '1'],
  [/\\s|\\t| /, ' '],
  [/\\n|\\s|\\R/, '\n'],
  [/\\w|a-z|A-Z|\\p\{L|\\p\{Alpha|\./, 'a'],
  [/\\p\{(?:Script=)?Han|\\p\{L|[\u4e00-\u9fff]/u, '中'],
  [/\\S|\[\^|\./, '#'],
]
const MAX_CHARACTERS = 6

/** Texts of `length` characters, each one piece repeated, with an end that nothing expects. */
export function hostileTexts({ source }: RegExp, length: number): string[] {
  const literals = source.replace(/\\[pPu]\{[^}]*\}|\\u[\da-f]{4}|\\[a-zA-Z]|\(\?[:=!<]+|\{\d+,?\d*\}/gi, '')
  const characters = new Set([
    ...OF_CLASS.filter(([named]) => named.test(source)).map(([, character]) => character),
    ...[...literals].filter((character) => !'\\[](){}^$|?*+'.includes(character)),
    ...[...source.matchAll(/\\([^\w])/g)].map(([, escaped]) => escaped as string),
  ])
  const chosen = [...characters].slice(0, MAX_CHARACTERS)
  const pieces = [
    ...chosen,
    ...chosen.flatMap((first) => chosen.filter((second) => second !== first).map((second) => first + second)),
    ...(literals.match(/[a-z]{2,}|[\u4e00-\u9fff]+/gi) ?? []).slice(0, 3),
  ]
  return pieces.map((piece) => `${piece.repeat(Math.ceil(length / piece.length)).slice(0, length)}\u0001`)
}

/** Milliseconds of processor time, whatever else the machine does. */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
