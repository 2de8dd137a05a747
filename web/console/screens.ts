import type { ComponentType } from 'preact'
import type { Scope } from './shell/session.ts'

/** One screen: its name is the first part of its address (`#/inbox`) and its folder in `screens/`. */
export interface Screen {
  name: ScreenName
  /** Part of the rail; null: reached by itself, when there is nothing yet. */
  group: 'desk' | 'know' | 'improve' | 'watch' | 'set' | null
  /** Needed to see it at all. */
  scope: Scope
  /** Fetches its code; each screen is a file of its own for the browser, too. */
  load: () => Promise<{ Screen: ComponentType }>
}

export type ScreenName =
  | 'welcome'
  | 'inbox'
  | 'knowledge'
  | 'playground'
  | 'gaps'
  | 'solutions'
  | 'mining'
  | 'evaluation'
  | 'tuner'
  | 'traces'
  | 'dashboard'
  | 'alerts'
  | 'experiments'
  | 'costs'
  | 'settings'

const FOLDERS = import.meta.glob<{ Screen: ComponentType }>('./screens/*/index.tsx')

/** In the order in which the rail shows them. */
export const SCREENS: readonly Screen[] = [
  ...screen('welcome', null, 'knowledge'),
  ...screen('inbox', 'desk', 'agent'),
  ...screen('knowledge', 'know', 'read'),
  ...screen('playground', 'know', 'read'),
  ...screen('gaps', 'improve', 'agent'),
  ...screen('solutions', 'improve', 'agent'),
  ...screen('mining', 'improve', 'read'),
  ...screen('evaluation', 'improve', 'read'),
  ...screen('tuner', 'improve', 'read'),
  ...screen('dashboard', 'watch', 'read'),
  ...screen('traces', 'watch', 'agent'),
  ...screen('alerts', 'watch', 'read'),
  ...screen('experiments', 'watch', 'read'),
  ...screen('costs', 'watch', 'read'),
  ...screen('settings', 'set', 'agent'),
]

function screen(name: ScreenName, group: Screen['group'], scope: Scope): Screen[] {
  const load = FOLDERS[`./screens/${name}/index.tsx`]
  return load ? [{ name, group, scope, load }] : []
}
