import { createHmac } from 'node:crypto'
import { AppError } from '../../../kernel/errors.ts'
import { assertFresh, equalsInConstantTime, readTimestamp } from '../callback-guard.ts'

/**
 * The `sign` header: base64 of HMAC-SHA256 over `timestamp \n appSecret` with the app secret as the key; `timestamp` is the
 * header of that name, milliseconds in decimal digits.
 * Source: https://open.dingtalk.com/document/orgapp/receive-message (verification of the request)
 */
export function dingtalkSignature(timestamp: string, appSecret: string): string {
  return createHmac('sha256', appSecret).update(`${timestamp}\n${appSecret}`).digest('base64')
}

/** Header names in lower case, as Node gives them. A repeated header is an array or joined by commas: neither verifies. */
export type DingtalkHeaders = Readonly<Record<string, unknown>>

/** Throws `unauthorized`: `bad_signature` for a missing or wrong sign, `stale_timestamp` over five minutes off. */
export function assertDingtalkSignature(headers: DingtalkHeaders, appSecret: string, nowMs: number): void {
  const { timestamp, sign } = headers
  const isSigned =
    typeof timestamp === 'string' &&
    typeof sign === 'string' &&
    equalsInConstantTime(sign, dingtalkSignature(timestamp, appSecret))
  if (!isSigned) throw new AppError('unauthorized', 'bad_signature', 'sign: missing or wrong')
  assertFresh(readTimestamp(timestamp, 1), nowMs)
}
