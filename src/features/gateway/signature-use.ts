import { createHash } from 'node:crypto'
import { AppError } from '../../kernel/errors.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { claimSignature } from './queries.ts'

/**
 * Lets a signature serve one message and its repeats, on whichever replicas: where it does not cover the body, whoever saw
 * one could else send any body with it. The platforms repeat a message with the same parameters or sign it anew.
 * Throws `unauthorized` (`replayed_signature`).
 *
 * @param messages how many different ones it may serve; 1 where every message has a signature of its own
 */
export async function assertKnownUse(db: Database, signature: string, message: object, messages = 1): Promise<void> {
  const name = digest(JSON.stringify(message))
  for (let place = 0; place < messages; place++) {
    const key = place === 0 ? signature : `${signature} ${place}`
    if ((await claimSignature(db.executor, digest(key), name)) === name) return
  }
  throw new AppError('unauthorized', 'replayed_signature', 'signature: was used for another message')
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
