// Maintainers run this after changing a dependency: node scripts/complete-lockfile.mjs
//
// Native packages list one optional package per platform. npm leaves out of the lockfile those that the registry at hand
// does not carry, and then `npm ci` refuses the lockfile everywhere. Their names say which platform they are for and
// their parent pins their version, which is all that `npm ci` needs to skip or fetch them. Their hash is asked of the
// registry; those that it does not carry stay without one and are named. `test/security/installation.test.ts` counts them.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { npmCommand } from './setup.mjs'

const PLATFORM =
  /[-/](aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32|wasm32)(?:-([a-z0-9]+))?(?:-([a-z]+))?$/
const EXACT_VERSION = /^\d+\.\d+\.\d+[\w.+-]*$/
const LIBC = { gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl', musleabihf: 'musl' }

/**
 * @param {Record<string, object>} packages the lockfile's `packages`
 * @returns {Record<string, object>} the entries that are named as optional dependencies and absent, by path
 */
export function missingOptionalPackages(packages) {
  const missing = {}
  for (const [path, entry] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (isLocked(packages, path, name)) continue
      missing[`node_modules/${name}`] = describeMissing(name, version, entry.dev)
    }
  }
  return missing
}

/** npm looks a dependency up in the dependent's own node_modules, then in those of its parents. */
function isLocked(packages, dependent, name) {
  for (let folder = dependent; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    if (packages[`${folder && `${folder}/`}node_modules/${name}`]) return true
    if (folder === '') return false
  }
}

function describeMissing(name, version, dev) {
  const platform = PLATFORM.exec(name)
  if (!platform || !EXACT_VERSION.test(version)) throw new Error(`cannot tell the platform of ${name}@${version}`)
  const [, system, processor, abi] = platform
  const isWasm = system === 'wasm32'
  return {
    version,
    cpu: [isWasm ? 'wasm32' : processor],
    ...(dev ? { dev: true } : {}),
    ...(system === 'linux' && LIBC[abi] ? { libc: [LIBC[abi]] } : {}),
    optional: true,
    ...(isWasm ? {} : { os: [system] }),
  }
}

/** @returns {[path: string, entry: object][]} what is fetched, and pinned by its version alone */
export function unhashed(packages) {
  return Object.entries(packages).filter(([path, { link, integrity }]) => path !== '' && !link && !integrity)
}

/**
 * @param {Record<string, object>} packages the lockfile's `packages`
 * @param {(name: string, version: string) => string | undefined} integrityOf what the registry says
 * @returns {Record<string, object>} the same, with a hash wherever the registry knows one
 */
export function withIntegrity(packages, integrityOf) {
  const completed = { ...packages }
  for (const [path, { version, ...rest }] of unhashed(packages)) {
    const integrity = integrityOf(rest.name ?? path.slice(path.lastIndexOf('node_modules/') + 13), version)
    // A weaker hash would be taken for good: npm checks whichever it finds.
    if (/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? '')) completed[path] = { version, integrity, ...rest }
  }
  return completed
}

function integrityInRegistry(name, version) {
  const [command, ...prefix] = npmCommand(process.env)
  const args = [...prefix, 'view', `${name}@${version}`, 'dist.integrity', '--loglevel=silent']
  const { stdout } = spawnSync(command, args, { encoding: 'utf8', shell: process.platform === 'win32' })
  return stdout?.trim()
}

function complete(path) {
  const lockfile = JSON.parse(readFileSync(path, 'utf8'))
  const missing = missingOptionalPackages(lockfile.packages)
  const merged = Object.entries(withIntegrity({ ...lockfile.packages, ...missing }, integrityInRegistry))
  lockfile.packages = Object.fromEntries(merged.sort(([a], [b]) => a.localeCompare(b, 'en')))
  writeFileSync(path, `${JSON.stringify(lockfile, null, 2)}\n`)
  console.log(`added ${Object.keys(missing).length} platform packages to ${path}`)
  for (const [each, { version }] of unhashed(lockfile.packages)) console.log(`not in this registry: ${each} ${version}`)
}

if (process.argv[1]?.endsWith('complete-lockfile.mjs')) complete('package-lock.json')
