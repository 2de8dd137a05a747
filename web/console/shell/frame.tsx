import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { isReachable } from '../api.ts'
import { Help } from './help.tsx'
import { listenToKeys, useKeys } from './keys.ts'
import { followDesk } from './live.ts'
import { lazyPalette, Palette } from './palette-door.tsx'
import { Rail } from './rail.tsx'
import { go, place, to } from './router.ts'
import { firstScreen, ScreenHere } from './screen-here.tsx'
import { may, session } from './session.ts'
import { useWaitingCounts } from './waiting.ts'
import { say } from './words.ts'
import './frame.css'

/** Which dialog of the frame is open. */
export const opened = signal<'palette' | 'help' | null>(null)

/** What is around every screen. */
export function Frame() {
  useEffect(() => listenToKeys(), [])
  useEffect(() => (may('agent') ? followDesk() : undefined), [session.value?.name])
  useEffect(() => {
    if (place.value.screen !== '') return
    void firstScreen().then((name) => place.value.screen === '' && go(to(name)))
  }, [place.value.screen])
  useWaitingCounts()
  useKeys({
    'mod+k': { label: say('find'), run: () => toggle('palette'), inText: true },
    '?': { label: say('allKeys'), run: () => toggle('help') },
  })
  return (
    <div class="frame">
      <a class="skip" href="#content" onClick={focusContent}>
        {say('skip')}
      </a>
      <Rail />
      <div class="frame-main">
        <Notices />
        <main id="content" tabIndex={-1} key={place.value.screen}>
          <ScreenHere />
        </main>
      </div>
      {opened.value === 'palette' && <Palette load={lazyPalette} onClose={close} />}
      {opened.value === 'help' && <Help onClose={close} />}
    </div>
  )
}

function toggle(which: 'palette' | 'help'): void {
  opened.value = opened.value === which ? null : which
}

function close(): void {
  opened.value = null
}

/** The address after `#` is the place, so a link into the page must not change it. */
function focusContent(event: Event): void {
  event.preventDefault()
  document.getElementById('content')?.focus()
}

function Notices() {
  return (
    <div role="status">
      {!isReachable.value && <p class="notice bad">{say('unreachable')}</p>}
      {session.value?.mode === 'keyless' && place.value.screen !== 'inbox' && (
        <p class="notice warn">
          {say('keyless')} <a href={to('settings', 'checklist')}>{say('keylessHow')}</a>
        </p>
      )}
    </div>
  )
}
