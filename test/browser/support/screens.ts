import type { TestApp } from '../../support/test-app.ts'
import { askAs, loadShop } from './shop.ts'

/** Each screen with what it shows once it is there, in either language. */
export const SCREENS: readonly [at: string, ready: string][] = [
  ['welcome', '.welcome-step'],
  ['inbox?tab=all', '.inbox-row'],
  ['inbox/s-wang?tab=waiting', '.side li.passage'],
  ['knowledge', '.document-row'],
  ['playground?q=How long can I return headphones', '.hit'],
  ['gaps', '.split-row'],
  ['solutions', '.solution-row'],
  ['mining', '.empty'],
  ['evaluation', '.page-bar select'],
  ['tuner', '.slider'],
  ['dashboard', '.dashboard-numbers'],
  ['traces', '.split-row'],
  ['alerts', '.alert-line'],
  ['experiments', '.empty'],
  ['costs', '.costs-numbers'],
  ...['checklist', 'hours', 'assignment', 'assistant', 'labels', 'replies', 'ratings', 'widgets', 'webhooks'].map(
    (page): [string, string] => [`settings/${page}`, '.settings-header'],
  ),
  ...['people', 'teams', 'keys', 'customers', 'audit', 'system', 'account'].map((page): [string, string] => [
    `settings/${page}`,
    '.settings-header',
  ]),
]
/** A shop in which every screen has something to show. */
export async function furnish(test: TestApp): Promise<void> {
  await loadShop(test)
  await askAs(test, 's-wang', '刚买就降价了，可以退差价吗？', 'wang')
  await askAs(test, 's-wang', '我要人工', 'wang')
  await askAs(test, 's-moon', 'Do you ship to the moon?', 'moon')
  await test.call('POST', '/api/v1/escalation/solution', { question: 'How do I clean it?', solution: 'With water.' })
  await test.call('POST', '/api/v1/agent/labels', { name: 'VIP' })
  await test.call('POST', '/api/v1/settings/widgets', { name: 'Shop', allowed_origins: ['https://shop.example'] })
  await test.call('POST', '/api/v1/agent/replies', { title: 'Greeting', content: 'Hello' })
}
