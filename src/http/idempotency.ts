import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../kernel/errors.ts'
import type { AnswerOwner, IdempotencyStore, RecordedAnswer } from '../kernel/idempotency.ts'

/** Thrown to end a request with the answer that its key got before. */
export class Replay extends Error {
  readonly answer: RecordedAnswer
  constructor(answer: RecordedAnswer) {
    super('The answer is replayed')
    this.answer = answer
  }
}

interface PendingKey {
  /** Ends the request with the first answer when there is one; otherwise this is the first. */
  claim(body: unknown): Promise<void>
  /** Remembers what this first request was answered. */
  record(answer: RecordedAnswer): Promise<void>
}

declare module 'fastify' {
  interface FastifyRequest {
    idempotency: PendingKey | null
    /** Somebody without a key of the API whose repeats are remembered all the same: who has proven it, within limits. */
    repeater: AnswerOwner | null
  }
}

const HEADER = 'idempotency-key'
const MAX_KEY_LENGTH = 200
/** Characters of an answer that are kept; longer are reports, which have ids of their own. */
const MAX_BODY_LENGTH = 1024 * 1024
const POLL_MS = 100
const WAIT_MS = 30_000

/**
 * `Idempotency-Key` on any POST: the first status and body are replayed to the same caller, the same key with another body
 * is refused. A repeat that arrives while the first one runs waits for it. Of callers without the API key, where one is
 * set, nothing is remembered: they could fill the database, and what they may do is done again without harm.
 */
export function replayRepeats(app: FastifyInstance, store: IdempotencyStore): void {
  app.decorateRequest('idempotency', null)
  app.decorateRequest('repeater', null)
  app.addHook('preValidation', (request, _reply, done) => {
    const key = keyOf(request)
    if (key !== null) request.idempotency = pendingKey(store, key, request)
    done()
  })
  app.addHook('preHandler', (request, _reply, done) => {
    // A form is read by its handler and claimed there.
    if (!request.idempotency || request.isMultipart?.()) return done()
    request.idempotency.claim(request.body ?? null).then(() => done(), done)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!request.idempotency || (typeof payload !== 'string' && payload !== null && payload !== undefined)) {
      return done(null, payload)
    }
    const contentType = String(reply.getHeader('content-type') ?? '')
    const answer = { status: reply.statusCode, contentType, body: payload ?? '' }
    request.idempotency.record(answer).then(() => done(null, payload), done)
  })
}

function keyOf(request: FastifyRequest): string | null {
  const key = request.headers[HEADER]
  if (!request.repeater && !request.caller.isTrusted) return null
  if (request.method !== 'POST' || key === undefined || key === '') return null
  if (typeof key !== 'string' || key.length > MAX_KEY_LENGTH || !/^[\x21-\x7e]+$/.test(key)) {
    throw new AppError(
      'invalid',
      'idempotency_key',
      `Idempotency-Key: must be 1 to ${MAX_KEY_LENGTH} visible ASCII characters`,
    )
  }
  const who = request.repeater ? `session ${request.repeater.sessionId}` : (request.caller.name ?? '')
  return hash('sha256', `${request.method} ${request.url}\n${key}\n${who}`)
}

function pendingKey(store: IdempotencyStore, key: string, request: FastifyRequest): PendingKey {
  let isFirst = false
  return {
    async claim(body) {
      const fingerprint = hash('sha256', JSON.stringify(body))
      const deadline = Date.now() + WAIT_MS
      for (;;) {
        const claim = await store.claim(key, fingerprint)
        if (claim.kind === 'replay') throw new Replay(claim.answer)
        if (claim.kind === 'mismatch') {
          throw new AppError('invalid', 'idempotency_key', 'Idempotency-Key: this key was used with another body')
        }
        isFirst = claim.kind === 'fresh'
        if (isFirst) return
        if (Date.now() > deadline) {
          const message = 'The first request with this Idempotency-Key is still running'
          throw new AppError('conflict', 'idempotency_running', message)
        }
        await sleep(POLL_MS)
      }
    },
    async record(answer) {
      if (!isFirst) return
      isFirst = false
      if (answer.status >= 500) await store.abandon(key)
      else
        await store.complete(
          key,
          answer.body.length > MAX_BODY_LENGTH ? TOO_LARGE : answer,
          request.repeater ?? ownerOf(request, answer.body),
        )
    },
  }
}

/** In place of an answer that is not kept: the work was done, and is not done again. */
const TOO_LARGE: RecordedAnswer = {
  status: 409,
  contentType: 'application/json; charset=utf-8',
  body: '{"detail":"The first request with this Idempotency-Key was answered, and its answer is too large to be repeated"}',
}

/** The first session that an answer names is the one that it is about; of an event stream too. */
const ANSWERED_SESSION = /"session_id":("(?:[^"\\]|\\.){1,400}")/

function ownerOf({ params, body }: FastifyRequest, answer: string): AnswerOwner {
  const given = { ...textFields(body), ...textFields(params) }
  const named = given.session_id || (JSON.parse(ANSWERED_SESSION.exec(answer)?.[1] ?? '""') as string)
  return { sessionId: named || null, userId: given.user_id || null }
}

function textFields(value: unknown): { session_id?: string; user_id?: string } {
  if (typeof value !== 'object' || value === null) return {}
  const entries = Object.entries(value).filter(([name, text]) => OWNERS.has(name) && typeof text === 'string')
  return Object.fromEntries(entries)
}
const OWNERS = new Set(['session_id', 'user_id'])
