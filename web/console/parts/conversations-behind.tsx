import {
  type ListOperationsSeriesConversations,
  listOperationsSeriesConversations,
} from '../../../clients/typescript/src/index.ts'
import { desk } from '../api.ts'
import { to } from '../shell/router.ts'
import { Shown, useResource } from '../ui/resource.tsx'
import { When } from '../ui/time.tsx'
import { say } from './conversations-behind-words.ts'
import './conversations-behind.css'

const LIMIT = 50

/** The conversations behind a number, each once, the latest first. */
export function ConversationsBehind(props: {
  metric: NonNullable<ListOperationsSeriesConversations['query']>['metric']
  period: { from: string; to: string }
  /** Of the number. */
  name: string
  /** How what each added is written; left out: each adds one. */
  format?: ((value: number) => string) | undefined
}) {
  const { metric, period, name, format } = props
  const query = { metric, ...period, limit: LIMIT }
  const found = useResource(JSON.stringify(query), (signal) =>
    listOperationsSeriesConversations(desk, { query, signal }),
  )
  return (
    <section class="stack">
      <h2>
        {say('conversations')} <span class="second">{name}</span>
      </h2>
      <Shown of={found} rows={3}>
        {({ conversations }) =>
          conversations.length === 0 ? (
            <p class="second">{say('none')}</p>
          ) : (
            <ul class="dense">
              {/* Of a conversation that counted several times the latest is enough. */}
              {latestOfEach(conversations).map((each) => (
                <li key={each.session_id + each.at} class="row behind-line">
                  <a
                    class="grow clip"
                    href={to('inbox', each.session_id, { tab: 'all' })}
                    title={each.question ?? undefined}
                  >
                    {each.question ?? each.user_id ?? each.session_id}
                  </a>
                  {each.question && each.user_id && <span class="second small clip behind-who">{each.user_id}</span>}
                  {format && <span class="number">{format(each.value)}</span>}
                  <span class="second small">
                    <When at={each.at} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </section>
  )
}

function latestOfEach<T extends { session_id: string }>(newestFirst: readonly T[]): T[] {
  return newestFirst.filter(({ session_id: id }, index) => newestFirst.findIndex((e) => e.session_id === id) === index)
}
