import { createHash } from 'node:crypto'
import { AppError } from '../../../kernel/errors.ts'
import { equalsInConstantTime } from '../callback-guard.ts'

/**
 * The signature of WeChat's callback mode: SHA-1, in lower-case hex, of the sorted parts written one after the other. Parts are
 * token, timestamp and nonce, and for encrypted bodies the cipher text as well.
 * Source: https://developers.weixin.qq.com/doc/offiaccount/en/Basic_Information/Access_Overview.html
 */
export function wechatSignature(parts: readonly string[]): string {
  return createHash('sha1')
    .update([...parts].sort().join(''))
    .digest('hex')
}

/** Throws `unauthorized` (`bad_signature`) unless `signature` is the one that `parts` give. */
export function assertWechatSignature(signature: unknown, parts: readonly string[]): void {
  if (typeof signature === 'string' && equalsInConstantTime(signature, wechatSignature(parts))) return
  throw new AppError('unauthorized', 'bad_signature', 'signature: missing or wrong')
}
