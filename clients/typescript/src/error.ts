/** An answer other than a success, or (status 0) a reply that broke off. */
export class FrontdeskError extends Error {
  override readonly name = 'FrontdeskError'
  readonly status: number
  /** Text for people; names each wrong field. */
  readonly detail: string
  /** For the operator, who finds it in the log. */
  readonly requestId: string | null
  /** Seconds after which a try makes sense, where the service says so. */
  readonly retryAfter: number | null

  constructor(status: number, detail: string, requestId: string | null = null, retryAfter: number | null = null) {
    super(status === 0 ? detail : `${status}: ${detail}`)
    this.status = status
    this.detail = detail
    this.requestId = requestId
    this.retryAfter = retryAfter
  }
}

export async function errorOf(response: Response): Promise<FrontdeskError> {
  const text = await response.text().catch(() => '')
  const seconds = Number.parseInt(response.headers.get('retry-after') ?? '', 10)
  return new FrontdeskError(
    response.status,
    detailOf(text) || response.statusText || 'No detail',
    response.headers.get('x-request-id'),
    Number.isNaN(seconds) ? null : seconds,
  )
}

/** A proxy in between answers in other forms; its words are better than none. */
function detailOf(text: string): string {
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown }
    if (typeof detail === 'string') return detail
  } catch {}
  return text.slice(0, 500)
}
