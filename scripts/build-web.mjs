// Builds the pages that the service shows, into `.cache/web`. Plain JavaScript on Node's built-ins, as the set-up calls
// it before anything else of the project can run.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** Files that are built of: a change of any of them builds again. */
const SOURCES = ['web', 'clients/typescript/src', 'sample/help-centre']
/** The console empties the folder that it is built into, so it is the first. */
const CONFIGS = [
  ['vite.config.ts', '.'],
  ['vite.widget.config.ts', '.'],
  ['vite.demo.config.ts', 'demo'],
]
const COMPRESSED = /\.(?:html|js|css|svg|json)$/

/**
 * Builds the pages unless they are there already, and never keeps the service from starting: a failure is said, and
 * pages of an earlier build stay.
 * @param {{ root: string, env: NodeJS.ProcessEnv, say: (line: string) => void }} context
 * @returns {Promise<boolean>} whether the pages are those of the sources
 */
export async function buildWeb({ root, env, say }) {
  if (isWebBuilt(root)) return true
  const target = targetOf(root)
  const wanted = hashOfSources(root)
  const start = performance.now()
  say('Building the console …')
  const made = `${target}.${process.pid}`
  try {
    for (const [config, folder] of CONFIGS) {
      const path = join(root, 'web', config)
      if (existsSync(path)) await runVite({ root, env, outDir: join(made, folder), config: path })
    }
    await compress(made)
    writeFileSync(join(made, '.stamp'), wanted)
    replace(target, made)
    say(`Built the console in ${((performance.now() - start) / 1000).toFixed(1)} s`)
    return true
  } catch (error) {
    say(`Building the console failed, so there is none at /; the service itself does not need it.\n${error.message}`)
    return false
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}

/** Whether the pages are those of the sources, or there are no sources to build them of, as in an image. */
export function isWebBuilt(root) {
  if (!existsSync(join(root, 'web'))) return true
  try {
    return readFileSync(join(targetOf(root), '.stamp'), 'utf8') === hashOfSources(root)
  } catch {
    return false
  }
}

function targetOf(root) {
  return join(root, '.cache', 'web')
}

/** Of every source and of the versions that build them. */
function hashOfSources(root) {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')))
  for (const folder of SOURCES) {
    for (const path of filesBelow(root, folder)) hash.update(`\0${path}\0`).update(readFileSync(join(root, path)))
  }
  return hash.digest('hex')
}

function filesBelow(root, folder) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true })
  return entries
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`
      return entry.isDirectory() ? filesBelow(root, path) : [path]
    })
}

/** The Node that the project pins: builder and program need a newer one than many a system has. */
export function nodeOf(root) {
  const pinned = join(root, 'node_modules/.bin/node')
  return process.platform !== 'win32' && existsSync(pinned) ? pinned : process.execPath
}

function runVite({ root, env, outDir, config }) {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const args = [vite, 'build', '--config', config, '--outDir', outDir, '--logLevel', 'warn']
  const child = spawn(nodeOf(root), args, {
    cwd: root,
    env: { ...env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(output.trim() || `exit code ${code}`))))
  })
}

/** Once here, so that no request waits for it. */
async function compress(folder) {
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
  const paths = filesBelow(folder, '.').filter((path) => COMPRESSED.test(path))
  await Promise.all(
    paths.map(async (path) => {
      const content = readFileSync(join(folder, path))
      const [br, gz] = await Promise.all([
        promisify(brotliCompress)(content, quality),
        promisify(gzip)(content, { level: 9, memLevel: 7 }),
      ])
      writeFileSync(join(folder, `${path}.br`), br)
      writeFileSync(join(folder, `${path}.gz`), gz)
    }),
  )
}

/** Another process may do the same at the same moment; the pages of either are right. */
function replace(target, made) {
  mkdirSync(join(target, '..'), { recursive: true })
  const old = `${target}.old.${process.pid}`
  try {
    renameSync(target, old)
  } catch {}
  try {
    renameSync(made, target)
  } catch (error) {
    if (!existsSync(target)) throw error
  }
  rmSync(old, { recursive: true, force: true })
}

// The image calls it by itself, in a stage of its own, and must not be made without pages.
if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const root = join(dirname(fileURLToPath(import.meta.url)), '..')
  const isDone = await buildWeb({ root, env: process.env, say: (line) => process.stderr.write(`${line}\n`) })
  process.exitCode = isDone ? 0 : 1
}
