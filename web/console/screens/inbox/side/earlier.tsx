import { listAgentSessions } from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { to } from '../../../shell/router.ts'
import { nameOf } from '../../../ui/names.ts'
import { Shown, useResource } from '../../../ui/resource.tsx'
import { When } from '../../../ui/time.tsx'
import type { Conversation } from '../conversation/state.ts'
import { say } from '../words.ts'

const SHOWN = 6

/** Other conversations of the same customer. */
export function Earlier({ conversation }: { conversation: Conversation }) {
  const query = { user_id: conversation.user_id, limit: SHOWN }
  const found = useResource(
    conversation.user_id,
    async (signal) => (await listAgentSessions(desk, { query, signal })).sessions,
  )
  return (
    <section aria-labelledby="earlier-title">
      <h2 id="earlier-title">{say('earlier')}</h2>
      <Shown of={found} rows={2}>
        {(sessions) => {
          const others = sessions.filter(({ session_id: id }) => id !== conversation.session_id)
          if (others.length === 0) return <p class="second">{say('noEarlier')}</p>
          return (
            <ul class="stack">
              {others.map((each) => (
                <li key={each.session_id}>
                  <a href={to('inbox', each.session_id, { tab: 'all' })} class="clip" style={{ display: 'block' }}>
                    {each.last_message?.content ?? each.session_id}
                  </a>
                  <span class="second small">
                    <When at={each.updated_at} /> · {nameOf.status(each.agent_status)}
                  </span>
                </li>
              ))}
            </ul>
          )
        }}
      </Shown>
    </section>
  )
}
