import { chmod, readFile, stat } from 'node:fs/promises'
import { AppError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import { expandScopes, type Scope } from '../../kernel/scopes.ts'
import type { Clock } from '../../platform/clock.ts'
import { parseKeyFile, type StoredKey } from './key-file.ts'

export interface KeyRingOptions {
  path: string
  clock: Clock
  log: Log<'info' | 'warn'>
}

export type KeyRing = Awaited<ReturnType<typeof openKeyRing>>

/** Everybody but the owner. */
const OTHERS = 0o077

/**
 * The keys of the file, read again by `refresh` when it changed. Throws `invalid` when it cannot be used at the start;
 * later what cannot be used is warned of, once, and the keys stay as they were.
 */
export async function openKeyRing({ path, clock, log }: KeyRingOptions) {
  let stamp = await stampOf(path).catch(unreadable)
  let keys = await read(path, log).catch(unreadable)
  let byHash = index(keys)

  function unreadable(error: unknown): never {
    throw new AppError('invalid', 'key_file', `API_KEYS_FILE: ${path} ${reason(error)}`)
  }

  return {
    /**
     * A look-up by digest and not a comparison in constant time: how long it takes depends on the digest of what was
     * sent, which nobody can steer towards the digest of a key that they do not have.
     */
    find(digest: Buffer): { keyId: string; name: string; scopes: ReadonlySet<Scope> } | null {
      const entry = byHash.get(digest.toString('hex'))
      if (!entry || (entry.expiresAtMs !== null && entry.expiresAtMs <= clock.now())) return null
      return entry.holder
    },
    list: (): readonly StoredKey[] => keys,
    async refresh(): Promise<void> {
      const now = await stampOf(path).catch(() => 'missing')
      if (now === stamp) return
      stamp = now
      try {
        keys = await read(path, log)
        byHash = index(keys)
        log.info({ keys: keys.length }, 'API_KEYS_FILE changed: its keys are in force')
      } catch (error) {
        log.warn({}, `API_KEYS_FILE: ${path} ${reason(error)}. The keys stay as they were`)
      }
    },
  }
}

/** Changes with the file, also when another one takes its name. */
async function stampOf(path: string): Promise<string> {
  const { mtimeNs, ctimeNs, size, ino } = await stat(path, { bigint: true })
  return [mtimeNs, ctimeNs, size, ino].join(' ')
}

async function read(path: string, log: KeyRingOptions['log']): Promise<StoredKey[]> {
  await closeToOthers(path, log)
  return parseKeyFile(await readFile(path, 'utf8'))
}

/** Writers of it make keys, and readers learn who has which; Windows has no such modes. */
async function closeToOthers(path: string, log: KeyRingOptions['log']): Promise<void> {
  const { mode } = await stat(path)
  if (process.platform === 'win32' || (mode & OTHERS) === 0) return
  const octal = (mode & 0o777).toString(8).padStart(4, '0')
  await chmod(path, mode & 0o700).catch(() => {
    throw new AppError('invalid', 'key_file', `is open to others (mode ${octal}) and cannot be closed: chmod 600 it`)
  })
  log.warn({ mode: octal }, `API_KEYS_FILE: ${path} was open to others; it is its owner’s alone now (chmod 600)`)
}

function index(keys: readonly StoredKey[]) {
  return new Map(
    keys.map(({ hash, keyId, name, scopes, expiresAt }) => {
      const holder = { keyId, name, scopes: expandScopes(scopes) }
      return [hash, { holder, expiresAtMs: expiresAt?.getTime() ?? null }]
    }),
  )
}

function reason(error: unknown): string {
  if (error instanceof AppError) return error.message.startsWith('is ') ? error.message : `is wrong: ${error.message}`
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return 'does not exist; npm run key -- add NAME --scopes … makes it'
  if (code === 'EISDIR') return 'is a folder'
  return `cannot be read (${code ?? 'unknown reason'})`
}
