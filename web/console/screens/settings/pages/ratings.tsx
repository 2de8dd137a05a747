import { useSignal } from '@preact/signals'
import { listAgentRatings, listFeedback } from '../../../../../clients/typescript/src/index.ts'
import { formatNumber } from '../../../../shared/words.ts'
import { desk } from '../../../api.ts'
import { to } from '../../../shell/router.ts'
import { Choice } from '../../../ui/fields.tsx'
import { Shown, useResource } from '../../../ui/resource.tsx'
import { When } from '../../../ui/time.tsx'
import { say } from '../words.ts'

const LIMIT = 50

/** What customers think of replies and of whole conversations. */
export function RatingsPage() {
  const rating = useSignal<'' | 'up' | 'down'>('down')
  const query = { limit: LIMIT, ...(rating.value ? { rating: rating.value } : {}) }
  const feedback = useResource(JSON.stringify(query), (signal) => listFeedback(desk, { query, signal }))
  const ratings = useResource('ratings', (signal) => listAgentRatings(desk, { query: { limit: LIMIT }, signal }))
  return (
    <>
      <section class="stack">
        <div class="row">
          <h3 class="grow">{say('ratings.replies')}</h3>
          <Choice
            isBare
            label={say('ratings.replies')}
            value={rating.value}
            onChange={(value) => (rating.value = value)}
            options={[
              { value: 'down', text: say('ratings.down') },
              { value: 'up', text: say('ratings.up') },
              { value: '', text: say('ratings.all') },
            ]}
          />
        </div>
        <Shown of={feedback}>
          {({ feedback: all }) =>
            all.length === 0 ? (
              <p class="second">{say('ratings.none')}</p>
            ) : (
              <ul class="stack">
                {all.map((each) => (
                  <li key={each.message_id}>
                    <a href={to('inbox', each.session_id, { tab: 'all' })}>{each.question ?? each.session_id}</a>{' '}
                    <span class="second small">
                      {say(`ratings.${each.rating}`)} · <When at={each.rated_at} />
                      {each.trace_id && (
                        <>
                          {' · '}
                          <a href={to('traces', each.trace_id)}>{say('ratings.why')}</a>
                        </>
                      )}
                    </span>
                    {each.comment && <p>„{each.comment}“</p>}
                    <p class="second dense pre">{each.reply}</p>
                  </li>
                ))}
              </ul>
            )
          }
        </Shown>
      </section>
      <section class="stack">
        <h3>{say('ratings.conversations')}</h3>
        <Shown of={ratings}>
          {({ ratings: all }) =>
            all.length === 0 ? (
              <p class="second">{say('ratings.none')}</p>
            ) : (
              <ul class="stack">
                {all.map((each) => (
                  <li key={each.session_id}>
                    <a href={to('inbox', each.session_id, { tab: 'all' })} class="number">
                      {say('ratings.stars', { n: formatNumber(each.score) })}
                    </a>{' '}
                    <span class="second small">
                      {each.agent_id ?? ''} <When at={each.created_at} />
                    </span>
                    {each.comment && <p>{each.comment}</p>}
                  </li>
                ))}
              </ul>
            )
          }
        </Shown>
      </section>
    </>
  )
}
