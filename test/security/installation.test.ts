import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }

interface Locked {
  version?: string
  resolved?: string
  integrity?: string
  link?: boolean
  optional?: boolean
  os?: string[]
  hasInstallScript?: boolean
}

/** Packages whose install script we know and do without: what they would do is not needed, or comes as a package of its own. */
const SCRIPTS_NOT_RUN = new Set([
  // Downloads nothing: checks that the binary of the platform, a package of its own, is there. Development only.
  'node_modules/@swc/core',
  // Prints an appeal for donations.
  'node_modules/core-js',
  // Warns of the version numbers of packages that use it.
  'node_modules/protobufjs',
])

it('no dependency needs an install script, and none gets to run one', () => {
  const withScript = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript)
  expect(withScript.map(([path]) => path).filter((path) => !SCRIPTS_NOT_RUN.has(path))).toEqual([])
  expect(read('scripts/setup.mjs')).toMatch(/'ci', '--ignore-scripts'/)
  const installs = [...read('Dockerfile').matchAll(/^.*npm (?:ci|install|i)\b.*$/gm)].map(([line]) => line)
  expect(installs.length).toBeGreaterThan(0)
  for (const line of installs) expect(line).toContain('npm ci --ignore-scripts')
})

it('every dependency is pinned by its content, but for binaries of systems that the lockfile was not made on', () => {
  const loose = Object.entries(packages).filter(([path, { link, integrity, resolved, optional, os }]) => {
    if (path === '' || link) return false
    const isElsewhere = optional && os && resolved === undefined
    const isPinned = integrity?.startsWith('sha512-') || isElsewhere
    return !isPinned || (resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/'))
  })
  expect(loose.map(([path]) => path)).toEqual([])
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read('package.json'))
  const versions = Object.entries<string>({ ...dependencies, ...devDependencies, ...optionalDependencies })
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([])
})
