import { createHmac } from 'node:crypto'
import type { Database } from './postgres/index.ts'
import { readSharedSecret } from './postgres/secret-queries.ts'

export type Identity = 'session' | 'user'

/**
 * Stands in for an id where the caller is nobody known: always the same for one id, on every replica, so that lists can
 * be followed; and never to be turned back, nor good for anything that the id is good for. An empty id stays empty.
 */
export type Pseudonym = (of: Identity, id: string) => string

export async function openPseudonyms(db: Database): Promise<Pseudonym> {
  const secret = await readSharedSecret(db.executor, 'pseudonyms')
  return (of, id) => {
    if (id === '') return ''
    const digest = createHmac('sha256', secret).update(`${of} ${id}`).digest('base64url')
    return `anonymous-${of}-${digest.slice(0, 22)}`
  }
}
