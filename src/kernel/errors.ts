/** The kind of a failure, in terms a caller can act on. `http/error-handler.ts` maps each kind to one status. */
export type ErrorKind =
  | 'bad_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'too_large'
  | 'unsupported_media'
  | 'invalid'
  | 'too_many'
  | 'internal'
  | 'unavailable'

/**
 * An expected failure. `message` is public: it reaches the caller as `detail`.
 * `code` is a stable machine name for logs and tests; `cause` is logged and never sent.
 */
export class AppError extends Error {
  readonly kind: ErrorKind
  readonly code: string
  /** Seconds after which a retry makes sense; sent as `Retry-After` with 429 and 503. */
  readonly retryAfterSeconds: number | undefined
  /** The message in Chinese, of those that the console shows to people as they are. */
  readonly zh: string | undefined

  constructor(
    kind: ErrorKind,
    code: string,
    message: string,
    options: { cause?: unknown; retryAfterSeconds?: number; zh?: string } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.kind = kind
    this.code = code
    this.retryAfterSeconds = options.retryAfterSeconds
    this.zh = options.zh
  }
}

/** Something needed is away or full: the same may work later. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.kind === 'unavailable'
}
