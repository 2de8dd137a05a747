import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

type Packages = Record<
  string,
  { version?: string; optionalDependencies?: Record<string, string>; [field: string]: unknown }
>

const script = join(import.meta.dirname, 'complete-lockfile.mjs')
const {
  missingOptionalPackages,
  withIntegrity,
}: {
  missingOptionalPackages: (packages: Packages) => Packages
  withIntegrity: (packages: Packages, integrityOf: (name: string, version: string) => string | undefined) => Packages
} = await import(script)

test('what the lockfile lacks is described by its name and by the version its parent asks for', () => {
  const packages: Packages = {
    '': {},
    'node_modules/tool': {
      version: '2.0.0',
      dev: true,
      optionalDependencies: {
        '@tool/linux-x64-gnu': '2.0.0',
        '@tool/linux-arm64-musl': '2.0.0',
        '@tool/darwin-arm64': '2.0.0',
        '@tool/binding-wasm32-wasi': '2.0.0',
      },
    },
    'node_modules/@tool/linux-x64-gnu': { version: '2.0.0' },
  }
  expect(missingOptionalPackages(packages)).toEqual({
    'node_modules/@tool/linux-arm64-musl': {
      version: '2.0.0',
      cpu: ['arm64'],
      dev: true,
      libc: ['musl'],
      optional: true,
      os: ['linux'],
    },
    'node_modules/@tool/darwin-arm64': { version: '2.0.0', cpu: ['arm64'], dev: true, optional: true, os: ['darwin'] },
    'node_modules/@tool/binding-wasm32-wasi': { version: '2.0.0', cpu: ['wasm32'], dev: true, optional: true },
  })
})

test('a package in the dependent’s own node_modules, or in a parent’s, is not missing', () => {
  const packages: Packages = {
    'node_modules/a': { optionalDependencies: { 'x-linux-x64': '1.0.0' } },
    'node_modules/a/node_modules/x-linux-x64': {},
    'node_modules/b/node_modules/@c/d': { optionalDependencies: { 'y-linux-x64': '1.0.0' } },
    'node_modules/y-linux-x64': {},
  }
  expect(missingOptionalPackages(packages)).toEqual({})
})

test('a version or a platform that its name does not tell is refused', () => {
  const asking = (name: string, version: string): Packages => ({
    'node_modules/a': { optionalDependencies: { [name]: version } },
  })
  expect(() => missingOptionalPackages(asking('x-linux-x64', '^1.0.0'))).toThrow('x-linux-x64@^1.0.0')
  expect(() => missingOptionalPackages(asking('fsevents', '2.3.3'))).toThrow('fsevents@2.3.3')
})

test('the registry is asked for the hashes that the lockfile lacks, and a weak or unknown one is none', () => {
  const hash = `sha512-${'A'.repeat(86)}==`
  const known: Record<string, string> = {
    '@tool/darwin-arm64@2.0.0': hash,
    'nested-linux-x64@1.0.0': hash,
    'weak@1.0.0': 'sha1-AAAA',
  }
  const packages: Packages = {
    '': {},
    'node_modules/has': { version: '1.0.0', integrity: 'sha512-mine' },
    'node_modules/linked': { link: true },
    'node_modules/@tool/darwin-arm64': { version: '2.0.0', optional: true },
    'node_modules/a/node_modules/nested-linux-x64': { version: '1.0.0' },
    'node_modules/weak': { version: '1.0.0' },
    'node_modules/unknown': { version: '1.0.0' },
  }
  const asked: string[] = []
  const completed = withIntegrity(packages, (name, version) => {
    asked.push(`${name}@${version}`)
    return known[`${name}@${version}`]
  })
  expect(asked).toEqual(['@tool/darwin-arm64@2.0.0', 'nested-linux-x64@1.0.0', 'weak@1.0.0', 'unknown@1.0.0'])
  expect(completed).toEqual({
    ...packages,
    'node_modules/@tool/darwin-arm64': { version: '2.0.0', integrity: hash, optional: true },
    'node_modules/a/node_modules/nested-linux-x64': { version: '1.0.0', integrity: hash },
  })
})

test('this project’s lockfile lacks nothing that `npm ci` would miss on another platform', () => {
  const lockfile = JSON.parse(readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8'))
  const missing = Object.keys(missingOptionalPackages(lockfile.packages))
  expect(missing, 'run: node scripts/complete-lockfile.mjs').toEqual([])
})
