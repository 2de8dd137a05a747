// Maintainers run this after changing a dependency: node scripts/complete-lockfile.mjs
//
// Native packages list one optional package per platform. npm leaves out of the lockfile those that the registry at hand
// does not carry, and then `npm ci` refuses the lockfile everywhere. Their names say which platform they are for and
// their parent pins their version, which is all that `npm ci` needs to skip or fetch them. Such an entry has no checksum.
import { readFileSync, writeFileSync } from 'node:fs'

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

function complete(path) {
  const lockfile = JSON.parse(readFileSync(path, 'utf8'))
  const missing = missingOptionalPackages(lockfile.packages)
  const merged = Object.entries({ ...lockfile.packages, ...missing })
  lockfile.packages = Object.fromEntries(merged.sort(([a], [b]) => a.localeCompare(b, 'en')))
  writeFileSync(path, `${JSON.stringify(lockfile, null, 2)}\n`)
  console.log(`added ${Object.keys(missing).length} platform packages to ${path}`)
}

if (process.argv[1]?.endsWith('complete-lockfile.mjs')) complete('package-lock.json')
