import { createHmac } from 'node:crypto'
import type { Pseudonym } from '../kernel/pseudonym.ts'
import { type Database, readSharedSecret } from './postgres/index.ts'

/** Made with a secret that all replicas share. */
export async function openPseudonyms(db: Database): Promise<Pseudonym> {
  const secret = await readSharedSecret(db.executor, 'pseudonyms')
  return (of, id) => {
    if (id === '') return ''
    const digest = createHmac('sha256', secret).update(`${of} ${id}`).digest('base64url')
    return `anonymous-${of}-${digest.slice(0, 22)}`
  }
}
