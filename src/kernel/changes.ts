/** The facts of a change that only its route knows. */
export interface NotedChange {
  /** The thing that was changed, such as `session:sess_4f1c2a9be07d`; otherwise the path's parameters say it. */
  subject?: string
  before?: unknown
  after?: unknown
}

/** A change that somebody made who had logged in. */
export interface RecordedChange extends NotedChange {
  /** Name of the person, or of the key that was logged in with. */
  actor: string
  isPerson: boolean
  /** Method and pattern of the route, such as `PUT /api/v1/tuner/params`. */
  action: string
  parameters: Record<string, string>
  /** As it was sent; null: none, or a form. */
  body: unknown
  address: string
  requestId: string
}
