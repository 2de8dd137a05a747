/** Whether an endpoint is there and takes our key, found out without using what it sells. */
export type Reachability =
  | 'answers'
  | 'answers_otherwise' // a client error: somebody is there, who has nothing at this path or wants another method
  | 'refuses_key'
  | 'busy'
  | 'failing' // 5xx
  | 'redirects' // no client of ours follows a redirect
  | 'silent' // no answer in time
  | 'unreachable'

export interface ProbeTarget {
  url: string
  headers: Record<string, string>
}

/** One GET, whose body is not read. Never rejects. */
export async function reach(
  { url, headers }: ProbeTarget,
  { timeoutMs, fetch = globalThis.fetch }: { timeoutMs: number; fetch?: typeof globalThis.fetch },
): Promise<Reachability> {
  const limit = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, { headers, signal: limit, redirect: 'manual' })
    await response.body?.cancel()
    return meaningOf(response.status)
  } catch {
    return limit.aborted ? 'silent' : 'unreachable'
  }
}

function meaningOf(status: number): Reachability {
  if (status === 401 || status === 403) return 'refuses_key'
  if (status === 429) return 'busy'
  if (status >= 500) return 'failing'
  if (status >= 400) return 'answers_otherwise'
  return status >= 300 ? 'redirects' : 'answers'
}

/** A path below a base URL that may end with a slash, asked with a key as most vendors take it. */
export function withBearer(baseUrl: string, path: string, apiKey: string | undefined): ProbeTarget {
  const base = baseUrl.replace(/\/+$/, '')
  const url = base.endsWith(path) ? base : `${base}${path}`
  return { url, headers: apiKey ? { authorization: `Bearer ${apiKey}` } : {} }
}
