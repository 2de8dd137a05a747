import { listTunerHistory } from '../../../../clients/typescript/src/index.ts'
import { desk } from '../../api.ts'
import { nameOfParam } from '../../ui/params.ts'
import { Shown, useResource } from '../../ui/resource.tsx'
import { When } from '../../ui/time.tsx'
import { say } from './words.ts'

const LIMIT = 20

/** What was changed before. */
export function History() {
  const history = useResource('history', (signal) => listTunerHistory(desk, { query: { limit: LIMIT }, signal }))
  return (
    <section class="stack">
      <h2>{say('history')}</h2>
      <Shown of={history} rows={2}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="second">{say('historyNone')}</p>
          ) : (
            <ul class="dense">
              {items.map((each) => (
                <li key={each.version} class="row">
                  <span class="second">
                    <When at={each.created_at} /> · {say(`action.${each.action}`)}
                  </span>
                  <span>
                    {Object.entries(each.changes)
                      .map(([name, { from, to }]) => `${nameOfParam(name as 'rrf_k')} ${from} → ${to}`)
                      .join(', ')}
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
