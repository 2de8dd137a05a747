import { useEffect } from 'preact/hooks'
import { hasEnded } from './api.ts'
import { Frame } from './shell/frame.tsx'
import { LogIn, LogInAgain } from './shell/log-in.tsx'
import { applyPreferences } from './shell/preferences.ts'
import { isLoggedIn, loadSession, session, sessionFailure } from './shell/session.ts'
import { Failed, Loading } from './ui/states.tsx'
import { Toasts } from './ui/toasts.tsx'

/** The whole console: whoever is logged in sees the frame with a screen in it, everybody else the log-in. */
export function App() {
  useEffect(() => applyPreferences(), [])
  useEffect(() => void loadSession(), [])
  return (
    <>
      <Content />
      <Toasts />
    </>
  )
}

function Content() {
  if (sessionFailure.value) return <Failed error={sessionFailure.value} onRetry={loadSession} />
  if (!session.value) return <Loading />
  if (!isLoggedIn.value) return <LogIn />
  return (
    <>
      <Frame />
      {hasEnded.value && <LogInAgain />}
    </>
  )
}
