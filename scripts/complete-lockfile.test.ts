import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

type Packages = Record<
  string,
  { version?: string; optionalDependencies?: Record<string, string>; [field: string]: unknown }
>

const script = join(import.meta.dirname, 'complete-lockfile.mjs')
const { missingOptionalPackages }: { missingOptionalPackages: (packages: Packages) => Packages } = await import(script)

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

test('this project’s lockfile lacks nothing that `npm ci` would miss on another platform', () => {
  const lockfile = JSON.parse(readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8'))
  const missing = Object.keys(missingOptionalPackages(lockfile.packages))
  expect(missing, 'run: node scripts/complete-lockfile.mjs').toEqual([])
})
