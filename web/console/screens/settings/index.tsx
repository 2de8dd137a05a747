import type { ComponentType } from 'preact'
import { useRef } from 'preact/hooks'
import { place, to } from '../../shell/router.ts'
import { may, type Scope } from '../../shell/session.ts'
import { useCurrentInView } from '../../ui/current-in-view.ts'
import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { AccountPage } from './pages/account.tsx'
import { AssignmentPage } from './pages/assignment.tsx'
import { AssistantPage } from './pages/assistant.tsx'
import { AuditPage } from './pages/audit.tsx'
import { ChecklistPage } from './pages/checklist.tsx'
import { CustomersPage } from './pages/customers.tsx'
import { HoursPage } from './pages/hours.tsx'
import { KeysPage } from './pages/keys.tsx'
import { LabelsPage } from './pages/labels.tsx'
import { PeoplePage } from './pages/people.tsx'
import { RatingsPage } from './pages/ratings.tsx'
import { RepliesPage } from './pages/replies.tsx'
import { SystemPage } from './pages/system.tsx'
import { TeamsPage } from './pages/teams.tsx'
import { WebhooksPage } from './pages/webhooks.tsx'
import { WidgetsPage } from './pages/widgets.tsx'
import { say } from './words.ts'
import './settings.css'

/** Each page with the right that it needs, in the order of its list. */
const PAGES = [
  { name: 'checklist', scope: 'read', Content: ChecklistPage },
  { name: 'people', scope: 'admin', Content: PeoplePage },
  { name: 'teams', scope: 'admin', Content: TeamsPage },
  { name: 'hours', scope: 'admin', Content: HoursPage },
  { name: 'assignment', scope: 'admin', Content: AssignmentPage },
  { name: 'assistant', scope: 'admin', Content: AssistantPage },
  { name: 'labels', scope: 'agent', Content: LabelsPage },
  { name: 'replies', scope: 'agent', Content: RepliesPage },
  { name: 'ratings', scope: 'agent', Content: RatingsPage },
  { name: 'widgets', scope: 'admin', Content: WidgetsPage },
  { name: 'webhooks', scope: 'admin', Content: WebhooksPage },
  { name: 'keys', scope: 'admin', Content: KeysPage },
  { name: 'customers', scope: 'admin', Content: CustomersPage },
  { name: 'audit', scope: 'admin', Content: AuditPage },
  { name: 'system', scope: 'admin', Content: SystemPage },
  { name: 'account', scope: 'read', Content: AccountPage },
] as const satisfies readonly { name: string; scope: Scope; Content: ComponentType }[]

/** What can be set, by subject. */
export function Screen() {
  const shown = PAGES.filter(({ scope }) => may(scope))
  const asked = place.value.parts[0] ?? shown[0]?.name
  const page = shown.find(({ name }) => name === asked)
  const list = useRef<HTMLElement>(null)
  useCurrentInView(list, asked ?? '')
  return (
    <Page title={say('title')} isFull>
      <div class="settings">
        <nav ref={list} aria-label={say('title')}>
          <ul>
            {shown.map(({ name }) => (
              <li key={name}>
                <a href={to('settings', name)} aria-current={name === asked ? 'page' : undefined}>
                  {say(name)}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="settings-content" tabIndex={0} role="region" aria-label={page ? say(page.name) : say('title')}>
          {page ? (
            <section class="stack" key={page.name}>
              <header class="stack settings-header">
                <h2>{say(page.name)}</h2>
                <p class="second">{say(`${page.name}.about`)}</p>
              </header>
              <page.Content />
            </section>
          ) : (
            <Empty title={say('forbidden')} />
          )}
        </div>
      </div>
    </Page>
  )
}
