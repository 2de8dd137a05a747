import { effect, type Signal, signal } from '@preact/signals'
import { type Language, language } from '../../shared/words.ts'

export type Theme = 'system' | 'light' | 'dark'

export const theme = signal<Theme>('system')
/** Whether single letters do something; some people's tools type them by accident. */
export const hasLetterKeys = signal(true)

/** Takes the preferences of this browser, and keeps them from then on. */
export function applyPreferences(): () => void {
  const stops = [
    keep('language', language, (text) => (text === 'zh' || text === 'en' ? (text as Language) : undefined)),
    keep('theme', theme, (text) => (text === 'light' || text === 'dark' || text === 'system' ? text : undefined)),
    keep('letter-keys', hasLetterKeys, (text) => text === 'true'),
    effect(() => {
      document.documentElement.lang = language.value === 'zh' ? 'zh-CN' : 'en'
    }),
    effect(() => {
      document.documentElement.dataset.theme = theme.value
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Browsers may refuse to store anything; then a preference lasts as long as the page. */
function keep<T>(name: string, value: Signal<T>, parse: (text: string) => T | undefined): () => void {
  const key = `frontdesk.${name}`
  try {
    const text = localStorage.getItem(key)
    const known = text === null ? undefined : parse(text)
    if (known !== undefined) value.value = known
  } catch {}
  let isFirst = true
  return effect(() => {
    const text = String(value.value)
    if (isFirst) isFirst = false
    else {
      try {
        localStorage.setItem(key, text)
      } catch {}
    }
  })
}
