import { useEffect, useRef } from 'preact/hooks'
import { listAgentSessions } from '../../../clients/typescript/src/index.ts'
import { desk } from '../api.ts'
import { setBadge } from './badges.ts'
import { useLive } from './live.ts'
import { place } from './router.ts'
import { may } from './session.ts'

/** Several things often happen at once. */
const PAUSE_MS = 400

/** Keeps beside the inbox how many wait, on every screen; the inbox counts itself. */
export function useWaitingCount(): void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const count = async () => {
    if (!may('agent') || place.value.screen === 'inbox') return
    const { counts } = await listAgentSessions(desk, { query: { limit: 1, counts: true } })
    if (counts) setBadge('inbox', counts.waiting)
  }
  const countSoon = () => {
    clearTimeout(timer.current)
    // The next event counts anew when this does not reach the service.
    timer.current = setTimeout(() => void count().catch(() => {}), PAUSE_MS)
  }
  useEffect(() => {
    countSoon()
    return () => clearTimeout(timer.current)
  }, [])
  useLive(({ event }) => {
    if (!['typing', 'presence', 'closing', 'note'].includes(event)) countSoon()
  })
}
