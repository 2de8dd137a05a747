import { createHmac } from 'node:crypto'
import type { Pseudonym } from '../kernel/pseudonym.ts'
import type { Database } from './postgres/index.ts'
import { readSharedSecret } from './postgres/secret-queries.ts'

/** Made with a secret that all replicas share. */
export async function openPseudonyms(db: Database): Promise<Pseudonym> {
  const secret = await readSharedSecret(db.executor, 'pseudonyms')
  return (of, id) => {
    if (id === '') return ''
    const digest = createHmac('sha256', secret).update(`${of} ${id}`).digest('base64url')
    return `anonymous-${of}-${digest.slice(0, 22)}`
  }
}
