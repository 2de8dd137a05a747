import { computed, signal } from '@preact/signals'
import { type GetLogIn, getLogIn, logOut } from '../../../clients/typescript/src/index.ts'
import { desk, hasEnded, onLoggedOut } from '../api.ts'

export type Session = GetLogIn['result']
export type Scope = Session['scopes'][number]

/** Who uses the console; null until the service has said. */
export const session = signal<Session | null>(null)
export const sessionFailure = signal<unknown>(null)

/** Somebody who must choose a password first can do nothing else before. */
export const isLoggedIn = computed(() => session.value?.authenticated === true && !session.value.must_change_password)

/** Without people everybody shares a name at the desk. */
const NOBODY = 'desk'

/** The name that stands for whoever uses the console where an agent is named. */
export const agentName = computed(() => session.value?.person?.name ?? NOBODY)
/** Said in requests of those whom the service does not know by name. */
export const asAgent = computed(() => (session.value?.person ? {} : { agent_id: NOBODY }))

/** Whether whoever uses the console may do what asks for this scope. */
export function may(scope: Scope): boolean {
  return session.value?.scopes.includes(scope) ?? false
}

export async function loadSession(): Promise<void> {
  try {
    take(await getLogIn(desk))
    sessionFailure.value = null
  } catch (error) {
    sessionFailure.value = error
  }
}

/** What somebody else has left on the screen is nothing for whoever comes after them. */
function take(next: Session): void {
  const isAnother = hasEnded.value && next.authenticated && next.name !== session.value?.name
  session.value = next
  hasEnded.value = false
  if (isAnother) location.reload()
}

export async function endSession(): Promise<void> {
  await logOut(desk)
  channel?.postMessage('changed')
  await loadSession()
}

/** Tabs of one browser share their cookie, so they learn of each other's log-ins. */
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('frontdesk.session')
if (channel) channel.onmessage = () => void loadSession()

export async function sessionChanged(): Promise<void> {
  channel?.postMessage('changed')
  await loadSession()
}

/** The screen stays as it is, with all that was written on it, until the same person is there again. */
onLoggedOut.call = () => {
  if (!session.value?.authenticated || hasEnded.value) return
  getLogIn(desk).then(
    (found) => (found.authenticated ? take(found) : (hasEnded.value = true)),
    // The next request that is refused asks again.
    () => {},
  )
}
