// `npm run key -- add|list|rotate|revoke`: the file of named keys that API_KEYS_FILE names. A service that runs takes
// changes up within a second.
import { existsSync, realpathSync } from 'node:fs'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '../src/config.ts'
import { parseKeyFile, renderKeyFile, type StoredKey } from '../src/features/keys/key-file.ts'
import { runCommand, say } from './backup/terminal.ts'
import {
  addKey,
  type Change,
  parseExpiry,
  parseOverlap,
  parseScopes,
  revokeKeys,
  rotateKey,
} from './keys/change-keys.ts'

const USAGE = `Usage: npm run key -- add NAME --scopes read,chat,agent,knowledge,admin [--expires 2027-01-01]
       npm run key -- rotate NAME [--overlap 24h] [--expires 2027-01-01]
       npm run key -- revoke NAME
       npm run key -- list
API_KEYS_FILE names the file, in the environment or in .env. A new key is printed once, and kept nowhere.`

await runCommand(USAGE, () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { scopes: { type: 'string' }, expires: { type: 'string' }, overlap: { type: 'string' } },
  })
  const [command = '', name = '', ...rest] = positionals
  if (rest.length > 0 || (name === '') !== (command === 'list')) return null
  const now = new Date()
  const expiresAt = () => parseExpiry(values.expires, now)
  if (command === 'list') return list
  if (command === 'revoke') return () => change((keys) => revokeKeys(keys, name))
  if (command === 'add') {
    return () =>
      change((keys) => addKey(keys, { name, scopes: parseScopes(values.scopes), expiresAt: expiresAt() }, now))
  }
  const overlapMs = () => parseOverlap(values.overlap ?? '24h')
  return command === 'rotate'
    ? () => change((keys) => rotateKey(keys, { name, overlapMs: overlapMs(), expiresAt: expiresAt() }, now))
    : null
})

async function list(): Promise<void> {
  for (const { keyId, name, scopes, createdAt, expiresAt } of await read(keysFile())) {
    const end = expiresAt ? `expires ${expiresAt.toISOString()}` : 'never expires'
    process.stdout.write(`${name}\t${keyId}\t${scopes.join(',')}\tmade ${createdAt.toISOString()}\t${end}\n`)
  }
}

async function change(make: (keys: StoredKey[]) => Change): Promise<void> {
  const path = keysFile()
  const temporary = `${path}.new`
  // Its name is the lock: of two commands at once the second one fails before it has read what the first one changes.
  const file = await open(temporary, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw new Error(`${temporary} cannot be written (${error.code})`)
    throw new Error(`${temporary} is there: another command is at work, or was interrupted. Then delete it`)
  })
  try {
    const { keys, key } = make(await read(path))
    await file.writeFile(renderKeyFile(keys))
    await file.sync()
    await rename(temporary, path)
    say(`${path} holds ${keys.length} ${keys.length === 1 ? 'key' : 'keys'} now.`)
    if (key !== undefined) say('The key follows. It is shown this once; pass it on by a safe way:')
    if (key !== undefined) process.stdout.write(`${key}\n`)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

/** A link stays one: what it leads to is replaced. */
function keysFile(): string {
  const { API_KEYS_FILE } = readConfig()
  if (API_KEYS_FILE === '') {
    throw new Error('API_KEYS_FILE is empty: name the file in .env first, such as API_KEYS_FILE=./keys.json')
  }
  const path = resolve(API_KEYS_FILE)
  return existsSync(path) ? realpathSync(path) : path
}

async function read(path: string): Promise<StoredKey[]> {
  if (!existsSync(path)) return []
  return parseKeyFile(await readFile(path, 'utf8'))
}
