import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }

/** SHA-256 of the licence as apache.org publishes it. */
const APACHE_2_0 = 'cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30'

interface Locked {
  version?: string
  resolved?: string
  integrity?: string
  link?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
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
  expect(read('scripts/setup.mjs')).toMatch(/\[\.\.\.command, '--ignore-scripts'/)
  const installs = [...read('Dockerfile').matchAll(/^.*npm (?:ci|install|i)\b.*$/gm)].map(([line]) => line)
  expect(installs.length).toBeGreaterThan(0)
  for (const line of installs) expect(line).toContain('npm ci --ignore-scripts')
})

/**
 * Binaries of other systems that no registry at our hand carries: pinned by the version that their parent, which is pinned
 * by content, names. `node scripts/complete-lockfile.mjs` on a registry that has them gets their hashes; then they go from here.
 */
const WITHOUT_HASH = {
  '@biomejs/cli': 8,
  '@napi-rs/canvas': 9,
  '@node-rs/jieba': 11,
  '@oxc-parser/binding': 15,
  '@swc/core': 8,
}

it('every dependency is pinned by its content, but for binaries of other systems that are known one by one', () => {
  const loose = Object.entries(packages).filter(
    ([path, { link, integrity }]) => path !== '' && !link && !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''),
  )
  const counts: Record<string, number> = {}
  for (const [path, { optional, os, cpu, version }] of loose) {
    const [, family = path] =
      /^node_modules\/(.+?)-(?:android|darwin|freebsd|linux|openharmony|win32)-/.exec(path) ?? []
    counts[family] = (counts[family] ?? 0) + 1
    expect({ path, optional, os, cpu }).toMatchObject({
      optional: true,
      os: [expect.any(String)],
      cpu: [expect.any(String)],
    })
    expect(versionsAskedOf(path)).toEqual([version])
  }
  expect(counts).toEqual(WITHOUT_HASH)
})

it('the licence, and where to report what is wrong, are told', () => {
  const licence = read('LICENSE')
  expect(createHash('sha256').update(licence).digest('hex')).toBe(APACHE_2_0)
  expect(JSON.parse(read('package.json')).license).toBe('Apache-2.0')
  const policy = read('SECURITY.md')
  expect(policy).toMatch(/private vulnerability reporting/)
  for (const [, path = ''] of policy.matchAll(/\]\(([^)]+)\)/g)) expect(read(path)).not.toBe('')
})

it('where we test, Linux on x64 with glibc, no binary is without its hash', () => {
  const runsHere = ({ os, cpu, libc }: Locked) =>
    (!os || os.includes('linux')) && (!cpu || cpu.includes('x64')) && (!libc || libc.includes('glibc'))
  const loose = Object.entries(packages).filter(([path, entry]) => path !== '' && runsHere(entry) && !entry.integrity)
  expect(loose.map(([path]) => path)).toEqual([])
})

it('the lockfile names no registry, and package.json exact versions', () => {
  expect(Object.entries(packages).filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
  const withoutFunding = JSON.stringify(packages, (name, value) => (name === 'funding' ? undefined : value))
  expect(withoutFunding).not.toContain('://')
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read('package.json'))
  const versions = Object.entries<string>({ ...dependencies, ...devDependencies, ...optionalDependencies })
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([])
})

/** The versions that those ask for who name this package as an optional dependency and are pinned by content themselves. */
function versionsAskedOf(path: string): string[] {
  const name = path.slice('node_modules/'.length)
  const asked = Object.values(packages).flatMap(({ integrity, optionalDependencies }) =>
    integrity && optionalDependencies?.[name] ? [optionalDependencies[name]] : [],
  )
  return [...new Set(asked)]
}
