import type { ConversationState } from '../conversation/state.ts'
import { say } from '../words.ts'
import { Card } from './card.tsx'
import { Contact } from './contact.tsx'
import { Earlier } from './earlier.tsx'
import { Labels } from './labels.tsx'
import { LookUp } from './look-up.tsx'
import { Recommendations } from './recommendations.tsx'

/** What helps to answer: why a person, what the knowledge base says, what the shop's systems know, what was before. */
export function Side({ state }: { state: ConversationState }) {
  const { conversation } = state
  return (
    <aside class="side" aria-label={say('side')} tabIndex={0}>
      {conversation.escalation_card && <Card card={conversation.escalation_card} />}
      <Recommendations conversation={conversation} />
      <LookUp key={conversation.session_id} sessionId={conversation.session_id} />
      <Labels sessionId={conversation.session_id} />
      <Contact conversation={conversation} />
      <Earlier conversation={conversation} />
    </aside>
  )
}
