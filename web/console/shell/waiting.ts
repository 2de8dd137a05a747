import { useEffect, useRef } from 'preact/hooks'
import { getConsoleTodo } from '../../../clients/typescript/src/index.ts'
import { desk } from '../api.ts'
import { setBadge } from './badges.ts'
import { useLive } from './live.ts'
import { place } from './router.ts'

/** Several things often happen at once. */
const PAUSE_MS = 400
/** Of alerts and gaps the desk is told nothing. */
const AGAIN_MS = 60_000
const BADGES = { conversations: 'inbox', solutions: 'solutions', gaps: 'gaps', alerts: 'alerts' } as const

/** Keeps beside the names of screens how much waits there, whichever is open; counts anew when another is. */
export function useWaitingCounts(): void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const count = async () => {
    const todo = await getConsoleTodo(desk)
    for (const name of Object.keys(BADGES) as (keyof typeof BADGES)[]) setBadge(BADGES[name], todo[name] ?? 0)
  }
  const countSoon = () => {
    clearTimeout(timer.current)
    // The next event counts anew when this does not reach the service.
    timer.current = setTimeout(() => void count().catch(() => {}), PAUSE_MS)
  }
  const { screen, parts } = place.value
  // Many screens ask what anybody may: that a log-in has ended shows here, and not half a minute later.
  useEffect(countSoon, [screen, parts[0]])
  useEffect(() => {
    const again = setInterval(() => document.visibilityState === 'visible' && countSoon(), AGAIN_MS)
    return () => {
      clearTimeout(timer.current)
      clearInterval(again)
    }
  }, [])
  useLive(({ event }) => {
    if (!['typing', 'presence', 'closing', 'note'].includes(event)) countSoon()
  })
}
