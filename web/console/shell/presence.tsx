import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { setPresence } from '../../../clients/typescript/src/index.ts'
import { desk } from '../api.ts'
import { may } from './session.ts'
import { say } from './words.ts'

const STATES = ['online', 'away', 'offline'] as const
type State = (typeof STATES)[number]
const NAMES = { online: 'available', away: 'away', offline: 'offline' } as const

const state = signal<State>('online')
/** The service takes a silence of a minute for an absence. */
const REPEAT_MS = 30_000

/** Whether whoever is here takes conversations; said again and again while the console is open. */
export function PresenceChoice() {
  useEffect(() => {
    if (!may('agent')) return
    const send = () => void setPresence(desk, { body: { state: state.value } }).catch(() => {})
    send()
    const timer = setInterval(() => state.value !== 'offline' && send(), REPEAT_MS)
    return () => clearInterval(timer)
  }, [state.value])
  if (!may('agent')) return null
  return (
    <select
      class="presence"
      data-state={state.value}
      aria-label={say('presence')}
      value={state.value}
      onChange={(event) => (state.value = event.currentTarget.value as State)}
    >
      {STATES.map((each) => (
        <option key={each} value={each}>
          {say(NAMES[each])}
        </option>
      ))}
    </select>
  )
}
