// Runs before every npm script. It must work on whatever Node the system has (18 or newer) and before anything is
// installed: plain JavaScript, Node's built-ins only.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildWeb, isWebBuilt, nodeOf } from './build-web.mjs'

/** First release that strips types with neither a flag nor a warning. */
export const MINIMUM_NODE = '24.3.0'

const HEARTBEAT_MS = 1_000
/** A holder that has not touched its lock for this long is taken for dead, even when its process id is in use again. */
const LOCK_STALE_MS = 20_000
const LOCK_POLL_MS = 100
/** These run the service, which needs no development dependency: an image built with `--omit=dev` starts as it is. */
const SERVICE_EVENTS = ['prestart', 'predemo', 'prebackup', 'prerestore', 'prekey', 'preuser', 'prewidget-key']
/**
 * What is installed, each with all before it: what runs the service; `peerDependencies`, which run an embedding model on
 * this machine, 140 MB for who sets EMBEDDING_MODEL_DIR; and what builds and tests.
 */
const LEVELS = ['service', 'model', 'all']
/** These show the pages, so they build them; `npm run setup` does everything. */
const WEB_EVENTS = ['prestart', 'predev', 'predemo', 'pretest:browser', 'prescreenshots', 'setup']

/** @returns {boolean} whether `version` ("24.21.0" or "v24.21.0") is `minimum` or newer */
export function isAtLeast(version, minimum) {
  const wanted = minimum.split('.').map(Number)
  const actual = version.replace(/^v/, '').split('.').map(Number)
  const differing = wanted.findIndex((part, index) => part !== actual[index])
  return differing === -1 || actual[differing] > wanted[differing]
}

/**
 * Brings the project at `root` to where its npm scripts can run: dependencies as in the lockfile, a Node that is new enough.
 * @param {{ root: string, env: NodeJS.ProcessEnv, say: (line: string) => void }} context
 * @returns {Promise<number>} exit code: 0 ready, otherwise the reason has been said
 */
export async function setUp(context) {
  const project = describeProject(context)
  const isNew = !isInstalled(project)
  if (isNew) {
    const code = await installUnderLock(project)
    if (code !== 0) return code
  }
  if (process.platform === 'win32') writeExecForWindows(project)
  const code = checkNode(project)
  if (code === 0 && project.needsWeb) {
    await Promise.all([buildWebUnderLock(project), isNew ? compileProgram(project) : undefined])
  }
  return code
}

function describeProject({ root, env, say }) {
  const modules = join(root, 'node_modules')
  return {
    root,
    env,
    say,
    modules,
    lockfile: join(root, 'package-lock.json'),
    // npm writes this record of what it installed as its very last step, so an interrupted install has none.
    record: join(modules, '.package-lock.json'),
    stamp: join(modules, '.setup-stamp'),
    needed: neededLevel(root, env),
    needsWeb: WEB_EVENTS.includes(env.npm_lifecycle_event ?? ''),
  }
}

function neededLevel(root, env) {
  if (!SERVICE_EVENTS.includes(env.npm_lifecycle_event ?? '')) return 'all'
  const file = readIfPresent(join(root, '.env')) ?? ''
  const isModelSet =
    env.EMBEDDING_MODEL_DIR?.trim() || /^\s*(?:export\s+)?EMBEDDING_MODEL_DIR\s*=\s*["']?[^\s"'#]/m.test(file)
  return isModelSet ? 'model' : 'service'
}

function isInstalled(project) {
  if (!existsSync(project.record)) return false
  const stamp = readIfPresent(project.stamp)
  const enough = LEVELS.slice(LEVELS.indexOf(project.needed))
  if (enough.some((level) => stamp === stampText(project, level))) return true
  if (!recordMatchesLockfile(project, project.needed)) return false
  dropUnusablePinnedNode(project)
  tryWriteStamp(project, stampText(project, project.needed))
  return true
}

function stampText(project, level) {
  const hash = createHash('sha256').update(readFileSync(project.lockfile)).digest('hex')
  return `${hash} ${process.platform}-${process.arch} ${level}\n`
}

/** Dependencies that somebody installed by hand, or in an image, count when they are the lockfile's. */
function recordMatchesLockfile(project, level) {
  const installed = packagesIn(project.record)
  const locked = packagesIn(project.lockfile)
  if (!installed || !locked) return false
  return Object.entries(locked).every(([path, entry]) => {
    if (path === '' || entry.link) return true
    const present = installed[path]
    if (present) return present.version === entry.version && existsSync(join(project.root, path))
    return Boolean(entry.optional || entry.devOptional || !isOfLevel(entry, level))
  })
}

function isOfLevel({ dev, peer }, level) {
  return level === 'all' || !(dev || (peer && level === 'service'))
}

/** @returns {Record<string, object> | undefined} undefined when the file was cut off or damaged */
function packagesIn(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages
  } catch {
    return undefined
  }
}

/** An image may be read-only; then the next start compares again. */
function tryWriteStamp(project, text) {
  try {
    writeFileSync(project.stamp, text)
  } catch {}
}

async function installUnderLock(project) {
  const release = await takeLock(join(project.root, '.cache', 'setup.lock'), project.say)
  try {
    // Another process may have finished the same installation while this one waited.
    return isInstalled(project) ? 0 : await install(project)
  } finally {
    release()
  }
}

/** One process builds, others that start at the same time wait for it. Pages that are there already cost no lock. */
async function buildWebUnderLock(project) {
  if (isWebBuilt(project.root)) return
  const release = await takeLock(join(project.root, '.cache', 'web.lock'), () => {})
  try {
    await buildWeb(project)
  } finally {
    release()
  }
}

/** Spares the first start that. Where it fails the start does it, or says why it cannot. */
async function compileProgram({ root, env }) {
  const main = join(root, 'src/main.ts')
  if (!existsSync(main)) return
  const child = spawn(nodeOf(root), [main, '--compile'], { cwd: root, env, stdio: 'ignore' })
  await new Promise((resolve) => child.once('error', resolve).once('close', resolve))
}

async function install(project) {
  // A service that runs from this folder may load more of what is there: it is added to, not made anew.
  const isPart = existsSync(project.record) && recordMatchesLockfile(project, 'service')
  project.say(
    isPart
      ? 'Installing the rest of the dependencies in package-lock.json (this happens once) …'
      : 'Installing the dependencies in package-lock.json (this happens once and takes about half a minute) …',
  )
  // npm works in no particular order; without these two a kill halfway could look like success.
  rmSync(project.stamp, { force: true })
  rmSync(project.record, { force: true })
  const code = await runNpm(project, isPart ? ['install', '--no-save'] : ['ci'])
  if (code !== 0) {
    project.say(`Installing the dependencies failed (npm exit code ${code}); npm's own message is above.`)
    return code
  }
  dropUnusablePinnedNode(project)
  tryWriteStamp(project, stampText(project, project.needed))
  return 0
}

function runNpm(project, command) {
  // No dependency of ours needs its install script, so none is given the chance to run.
  const args = [...command, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  args.push(project.needed === 'all' ? '--include=dev' : '--omit=dev')
  args.push(project.needed === 'service' ? '--omit=peer' : '--include=peer')
  const [npm, ...prefix] = npmCommand(project.env)
  const child = spawn(npm, [...prefix, ...args], {
    cwd: project.root,
    env: project.env,
    // npm's standard output belongs to the script that was asked for; progress is for people.
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32' && prefix.length === 0,
  })
  const passOn = (signal) => child.kill(signal)
  process.on('SIGINT', passOn).on('SIGTERM', passOn)
  return new Promise((resolve) => {
    child.once('error', (error) => {
      project.say(`npm could not be started: ${error.message}`)
      resolve(127)
    })
    child.once('close', (code) => resolve(code ?? 130))
  }).finally(() => process.off('SIGINT', passOn).off('SIGTERM', passOn))
}

/** The npm that is running this script, run by the Node that runs it: the pinned one sits in the folder npm empties. */
export function npmCommand(env) {
  const npm = env.npm_execpath
  if (!npm || basename(npm) !== 'npm-cli.js') return ['npm']
  return [env.npm_node_execpath || process.execPath, npm]
}

/**
 * Takes `path` as a lock between processes, waiting while a living one holds it.
 * @returns {Promise<() => void>} releases the lock
 */
async function takeLock(path, say) {
  mkdirSync(dirname(path), { recursive: true })
  for (let said = false; !tryCreate(path); said = true) {
    if (isStale(path)) {
      takeOver(path)
      continue
    }
    if (!said) say('Another process is installing the dependencies; waiting for it …')
    await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS))
  }
  const heartbeat = setInterval(() => touch(path), HEARTBEAT_MS)
  const release = () => {
    clearInterval(heartbeat)
    rmSync(path, { force: true })
  }
  return release
}

function tryCreate(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

function isStale(path) {
  try {
    return Date.now() - statSync(path).mtimeMs > LOCK_STALE_MS || !isAlive(Number(readFileSync(path, 'utf8')))
  } catch {
    return false
  }
}

/** Two waiters may both see a dead holder; only the one that owns the second lock may remove the first. */
function takeOver(path) {
  const guard = `${path}.takeover`
  if (!tryCreate(guard)) {
    if (Date.now() - (statIfPresent(guard)?.mtimeMs ?? Date.now()) > LOCK_STALE_MS) rmSync(guard, { force: true })
    return
  }
  if (isStale(path)) rmSync(path, { force: true })
  rmSync(guard, { force: true })
}

function isAlive(pid) {
  // Empty for the instant between creating the file and writing to it.
  if (!pid) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function touch(path) {
  try {
    utimesSync(path, new Date(), new Date())
  } catch {}
}

/**
 * Scripts that run a server start with `exec`: many a system's `sh` would otherwise stay in between, and on SIGTERM die
 * and leave the server running. Windows knows neither the signal nor the word, so there the word gets an empty meaning.
 */
function writeExecForWindows(project) {
  const path = join(project.modules, '.bin', 'exec.cmd')
  if (!existsSync(path)) writeFileSync(path, '@%*\r\n')
}

function pinnedNode(project) {
  return join(project.modules, '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
}

/** npm picks the pinned Node by system and processor alone; on musl, say, it cannot run and would hide a Node that can. */
function dropUnusablePinnedNode(project) {
  const path = pinnedNode(project)
  if (!existsSync(path) || process.execPath.startsWith(project.modules + sep)) return
  if (versionOf(path) === undefined) rmSync(path, { force: true })
}

/** @returns {string | undefined} what `<path> --version` prints; undefined when it does not run */
function versionOf(path) {
  const run = spawnSync(path, ['--version'], { encoding: 'utf8', shell: process.platform === 'win32' })
  return run.status === 0 ? run.stdout.trim() : undefined
}

function checkNode(project) {
  if (existsSync(pinnedNode(project)) || isAtLeast(process.versions.node, MINIMUM_NODE)) return 0
  project.say(
    [
      `Frontdesk needs Node ${MINIMUM_NODE} or newer; this is Node ${process.versions.node}, and the Node that the`,
      `project pins is not installed for ${process.platform}-${process.arch}. Do one of these, then try again:`,
      '  - if optional dependencies are left out on this machine: npm ci --ignore-scripts --include=optional',
      `  - install Node ${MINIMUM_NODE.split('.')[0]} (Long Term Support) on the system`,
    ].join('\n'),
  )
  return 1
}

function readIfPresent(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function statIfPresent(path) {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}

// The real path, because a project folder reached through a symbolic link would otherwise look like an import.
if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const root = join(dirname(fileURLToPath(import.meta.url)), '..')
  process.exitCode = await setUp({ root, env: process.env, say: (line) => process.stderr.write(`${line}\n`) })
}
