import { language } from '../../shared/words.ts'
import { Button } from '../ui/button.tsx'
import { opened } from './frame.tsx'
import { hasLetterKeys, type Theme, theme } from './preferences.ts'
import { PresenceChoice } from './presence.tsx'
import { endSession, session } from './session.ts'
import { say } from './words.ts'

const THEMES: readonly Theme[] = ['system', 'light', 'dark']

/** Who is here, and what they prefer. */
export function Account() {
  const { person, name, mode } = session.value ?? {}
  const title = person?.display_name ?? (mode === 'keyless' ? say('anyone') : say('byKey', { name: name ?? '' }))
  return (
    <div class="account">
      {person && <PresenceChoice />}
      <button type="button" class="account-name clip" popovertarget="account-menu" title={title}>
        <span class="unseen">{say('account')}: </span>
        {title}
      </button>
      <button
        type="button"
        class="account-language"
        title={say('languageName')}
        onClick={() => (language.value = language.value === 'zh' ? 'en' : 'zh')}
      >
        <span lang={language.value === 'zh' ? 'en' : 'zh'}>{say('language')}</span>
      </button>
      <div id="account-menu" popover="auto" class="menu">
        <label class="row">
          <span class="grow">{say('theme')}</span>
          <select value={theme.value} onChange={(event) => (theme.value = event.currentTarget.value as Theme)}>
            {THEMES.map((each) => (
              <option key={each} value={each}>
                {say(`theme.${each}`)}
              </option>
            ))}
          </select>
        </label>
        <label class="row">
          <span class="grow">{say('letterKeys')}</span>
          <input
            type="checkbox"
            checked={hasLetterKeys.value}
            onChange={(event) => (hasLetterKeys.value = event.currentTarget.checked)}
          />
        </label>
        <Button kind="ghost" onPress={() => void (opened.value = 'help')}>
          {say('allKeys')} <kbd>?</kbd>
        </Button>
        {mode !== 'keyless' && (
          <Button kind="ghost" onPress={endSession}>
            {say('logOut')}
          </Button>
        )}
      </div>
    </div>
  )
}
