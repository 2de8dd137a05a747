import { createHash, randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { AppError } from '../../kernel/errors.ts'
import { SCOPES, type Scope } from '../../kernel/scopes.ts'
import { toSnakeCase } from '../../kernel/snake-case.ts'

/** A key as its file holds it: who presents what hashes to `hash` is `name`. During a rotation two share one name. */
export interface StoredKey {
  keyId: string
  name: string
  /** SHA-256 of the key, in hexadecimal. */
  hash: string
  scopes: Scope[]
  createdAt: Date
  /** From then on it is no key any more; null: never. */
  expiresAt: Date | null
}

const KEY_NAME = /^[A-Za-z0-9][\w.-]{0,63}$/
const Time = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z$' })
// A mistyped field, such as a time of expiry that is never read, must not pass.
const strict = { additionalProperties: false }
const KeyFile = Type.Object(
  {
    keys: Type.Array(
      Type.Object(
        {
          key_id: Type.String({ pattern: '^key_[\\w-]{1,64}$' }),
          name: Type.String({ pattern: KEY_NAME.source }),
          hash: Type.String({ pattern: '^sha256:[0-9a-f]{64}$' }),
          scopes: Type.Array(Type.Union(SCOPES.map((scope) => Type.Literal(scope))), { minItems: 1 }),
          created_at: Time,
          expires_at: Type.Optional(Type.Union([Time, Type.Null()])),
        },
        strict,
      ),
    ),
  },
  strict,
)

const EXPECTED: Record<string, string> = {
  key_id: 'key_ and letters or digits',
  name: '1 to 64 letters, digits, dots, dashes or underscores, and not API_KEY',
  hash: 'sha256: and 64 hexadecimal digits',
  scopes: `a list of ${SCOPES.join(', ')}`,
  created_at: 'a time such as 2026-01-31T09:30:00Z',
  expires_at: 'a time such as 2027-01-01T00:00:00Z, or null',
}

/** Whether a key may have this name; that of the setting is taken. */
export function isKeyName(name: string): boolean {
  return KEY_NAME.test(name) && name !== 'API_KEY'
}

/** Throws `invalid` that says what is wrong and where, without any hash. */
export function parseKeyFile(text: string): StoredKey[] {
  const content = parseJson(text)
  if (!Value.Check(KeyFile, content)) throw wrong(describe(content))
  const keys = content.keys.map((key) => ({
    keyId: key.key_id,
    name: key.name,
    hash: key.hash.slice('sha256:'.length),
    scopes: key.scopes as Scope[],
    createdAt: new Date(key.created_at),
    expiresAt: key.expires_at ? new Date(key.expires_at) : null,
  }))
  keys.forEach(({ keyId, name, hash, createdAt, expiresAt }, index) => {
    const at = `keys[${index}]`
    if (!isKeyName(name)) throw wrong(`${at}.name must be ${EXPECTED.name}`)
    if (Number.isNaN(createdAt.getTime())) throw wrong(`${at}.created_at is no time`)
    if (expiresAt && Number.isNaN(expiresAt.getTime())) throw wrong(`${at}.expires_at is no time`)
    const isTwice = keys.some((other, before) => before < index && (other.hash === hash || other.keyId === keyId))
    if (isTwice) throw wrong(`${at} repeats the hash or the key_id of one before it`)
  })
  return keys
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw wrong('it is not valid JSON')
  }
}

function describe(content: unknown): string {
  const [first] = Value.Errors(KeyFile, content)
  const path = (first?.instancePath ?? '').slice(1).split('/')
  const field = path[2] ?? ''
  const place = path[1] === undefined ? 'keys' : `keys[${path[1]}]${field === '' ? '' : `.${field}`}`
  if (field in EXPECTED) return `${place} must be ${EXPECTED[field]}`
  if (field !== '') return `${place} is no field of a key`
  return `${place} must be ${path[1] === undefined ? 'a list of keys, and all there is' : 'an object of key_id, name, hash, scopes, created_at and perhaps expires_at'}`
}

function wrong(why: string): AppError {
  return new AppError('invalid', 'key_file', why)
}

export function renderKeyFile(keys: readonly StoredKey[]): string {
  const rows = keys.map((key) => toSnakeCase({ ...key, hash: `sha256:${key.hash}` }))
  return `${JSON.stringify({ keys: rows }, null, 2)}\n`
}

/** Unguessable however many are tried, 256 bits; what it begins with lets people and scanners see what it is. */
export function makeKey(): string {
  return `fdk_${randomBytes(32).toString('base64url')}`
}

/**
 * One round of SHA-256, without salt: slow, salted hashes protect what people choose, by making each guess dear. 256
 * random bits are beyond guessing, and every request would pay for it.
 */
export function hashKey(key: string): string {
  return createHash('sha256').update(key, 'utf8').digest('hex')
}

export function newKeyId(): string {
  return `key_${randomBytes(6).toString('hex')}`
}
