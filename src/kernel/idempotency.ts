/** The answer to the first request with a key. */
export interface RecordedAnswer {
  status: number
  contentType: string
  body: string
}

/** Whose an answer is, as far as the request and the answer tell: it goes when they are erased. */
export interface AnswerOwner {
  sessionId: string | null
  userId: string | null
}

export type Claim =
  | { kind: 'fresh' }
  | { kind: 'replay'; answer: RecordedAnswer }
  /** The same key came with another request. */
  | { kind: 'mismatch' }
  /** The first request with this key is still under way. */
  | { kind: 'running' }

/** Where first answers are remembered, for every replica. */
export interface IdempotencyStore {
  claim(key: string, fingerprint: string): Promise<Claim>
  complete(key: string, answer: RecordedAnswer, owner: AnswerOwner): Promise<void>
  /** After a failure of ours the same request may be tried again. */
  abandon(key: string): Promise<void>
}
