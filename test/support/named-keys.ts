import { hash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Scope } from '../../src/kernel/scopes.ts'

/** A file of named keys, each named for its scopes: `chat`, `read+knowledge`. The key of one is `key-of-<name>`. */
export function writeNamedKeys(...grants: readonly Scope[][]) {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-named-keys-'))
  const path = join(folder, 'keys.json')
  const keys = grants.map((scopes, index) => {
    const name = scopes.join('-')
    const digest = hash('sha256', `key-of-${name}`)
    return { key_id: `key_${index}`, name, hash: `sha256:${digest}`, scopes, created_at: '2026-01-01T00:00:00Z' }
  })
  writeFileSync(path, JSON.stringify({ keys }), { mode: 0o600 })
  return {
    path,
    headersOf: (...scopes: Scope[]) => ({ 'x-api-key': `key-of-${scopes.join('-')}` }),
    remove: (): void => rmSync(folder, { recursive: true }),
  }
}
