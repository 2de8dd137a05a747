import { useRef } from 'preact/hooks'
import { SCREENS, type Screen } from '../screens.ts'
import { useCurrentInView } from '../ui/current-in-view.ts'
import { Account } from './account.tsx'
import { badges } from './badges.ts'
import { opened } from './frame.tsx'
import { isLive } from './live.ts'
import { place, to } from './router.ts'
import { may } from './session.ts'
import { say } from './words.ts'

const GROUPS = ['desk', 'know', 'improve', 'watch', 'set'] as const

/** Every screen that whoever is here may see, by group. */
export function Rail() {
  const shown = SCREENS.filter(({ scope }) => may(scope))
  const ref = useRef<HTMLElement>(null)
  useCurrentInView(ref, place.value.screen)
  return (
    <nav ref={ref} class="rail" aria-label={say('rail')}>
      <p class="rail-name">
        <Mark /> Frontdesk
      </p>
      <button type="button" class="rail-find" onClick={() => (opened.value = 'palette')}>
        <span class="grow">{say('find')}</span>
        <kbd>{isMac ? '⌘' : 'Ctrl'} K</kbd>
      </button>
      <div class="rail-groups">
        {GROUPS.map((group) => (
          <Group key={group} group={group} screens={shown.filter((screen) => screen.group === group)} />
        ))}
      </div>
      <p class="rail-live" role="status">
        <span class={`dot ${isLive.value ? 'good' : 'warn'}`} aria-hidden="true" />
        {say(isLive.value ? 'live' : 'notLive')}
      </p>
      <Account />
    </nav>
  )
}

const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

function Group({ group, screens }: { group: (typeof GROUPS)[number]; screens: readonly Screen[] }) {
  if (screens.length === 0) return null
  return (
    <section aria-labelledby={`rail-${group}`}>
      <h2 id={`rail-${group}`}>{say(`group.${group}`)}</h2>
      <ul>
        {screens.map(({ name }) => (
          <li key={name}>
            <a href={to(name)} aria-current={place.value.screen === name ? 'page' : undefined}>
              <span class="grow">{say(name)}</span>
              {badges.value[name] ? <span class="badge number">{badges.value[name]}</span> : null}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" />
      <path d="M6 22h20M9 19a7 7 0 0 1 14 0zM16 9v3" />
    </svg>
  )
}
