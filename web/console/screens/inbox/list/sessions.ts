import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { type ListAgentSessions, listAgentSessions } from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { setBadge } from '../../../shell/badges.ts'
import { type LiveEvent, useLive } from '../../../shell/live.ts'
import { agentName } from '../../../shell/session.ts'
import { useResource } from '../../../ui/resource.tsx'

export type SessionRow = ListAgentSessions['result']['sessions'][number]
export type Counts = NonNullable<ListAgentSessions['result']['counts']>
type Query = NonNullable<ListAgentSessions['query']>
export type TabName = 'mine' | 'waiting' | 'all'

/** Which conversations a list is of. */
export interface View {
  tab: TabName
  q: string
  status: string
  channel: string
  label: string
}

interface Page {
  sessions: readonly SessionRow[]
  next: string | null
  counts: Counts | undefined
}

const PAGE = 60
/** Several things that happen at once lead to one question. */
const PAUSE_MS = 250
const URGENCY = { urgent: 0, high: 1, medium: 2, low: 3 } as const

/** The conversations of a view: the first page at once, more as they are wanted, each change as it happens. */
export function useSessions(view: View) {
  const query = queryOf(view)
  const resource = useResource(JSON.stringify(query), (signal) => fetchPage(query, signal))
  const isFetchingMore = useSignal(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const refresh = async () => {
    const before = resource.data.value
    const first = await fetchPage(query).catch(() => null)
    // Another view may have been chosen while it was fetched.
    if (!first || resource.data.value !== before) return
    resource.data.value = before ? joined(first, before) : first
  }
  const refreshSoon = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void refresh(), PAUSE_MS)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  useLive((event) => {
    if (concernsList(event)) refreshSoon()
  })
  const more = async () => {
    const known = resource.data.value
    if (!known?.next || isFetchingMore.value) return
    isFetchingMore.value = true
    const page = await fetchPage({ ...query, before: known.next, counts: false }).catch(() => null)
    isFetchingMore.value = false
    if (page && resource.data.value === known) {
      resource.data.value = { ...page, sessions: [...known.sessions, ...page.sessions], counts: known.counts }
    }
  }
  const sessions = resource.data.value?.sessions ?? []
  return { resource, more, refresh, sessions: view.tab === 'waiting' ? byUrgency(sessions) : sessions }
}

function queryOf({ tab, q, status, channel, label }: View): Query {
  const about = { limit: PAGE, counts: true, reader: agentName.value, ...(q ? { q } : {}) }
  if (tab === 'mine') return { ...about, status: 'assigned', agent_id: agentName.value }
  if (tab === 'waiting') return { ...about, status: 'pending' }
  return {
    ...about,
    ...(status ? { status: status as NonNullable<Query['status']> } : {}),
    ...(channel ? { channel: channel as NonNullable<Query['channel']> } : {}),
    ...(label ? { label } : {}),
  }
}

async function fetchPage(query: Query, signal?: AbortSignal): Promise<Page> {
  const { sessions, next_before: next, counts } = await listAgentSessions(desk, { query, signal })
  if (counts) setBadge('inbox', counts.waiting)
  return { sessions, next, counts }
}

/** Pages fetched before, after a newer first one. */
function joined(first: Page, before: Page): Page {
  if (first.next === null || before.sessions.length <= PAGE) return first
  const fresh = new Set(first.sessions.map(({ session_id: id }) => id))
  const rest = before.sessions.slice(PAGE).filter(({ session_id: id }) => !fresh.has(id))
  return { sessions: [...first.sessions, ...rest], next: before.next, counts: first.counts }
}

function concernsList({ event }: LiveEvent): boolean {
  return !['typing', 'presence', 'closing', 'note'].includes(event)
}

function byUrgency(sessions: readonly SessionRow[]): readonly SessionRow[] {
  return sessions.toSorted(
    (one, other) =>
      Number(other.overdue) - Number(one.overdue) ||
      URGENCY[one.priority] - URGENCY[other.priority] ||
      (one.waiting_since ?? '').localeCompare(other.waiting_since ?? ''),
  )
}
