import {
  listObservabilityCircuitBreakers,
  resetObservabilityCircuitBreaker,
} from '../../../../clients/typescript/src/index.ts'
import { desk } from '../../api.ts'
import { may } from '../../shell/session.ts'
import { Button } from '../../ui/button.tsx'
import { Shown, useResource } from '../../ui/resource.tsx'
import { Tag, type Tone } from '../../ui/tag.tsx'
import { toast } from '../../ui/toasts.tsx'
import { nameOfPart, say } from './words.ts'

const TONES = { CLOSED: 'good', OPEN: 'bad', HALF_OPEN: 'warn' } satisfies Record<string, Tone>

/** Services elsewhere, and which of them are left alone for now. */
export function Breakers() {
  const breakers = useResource('breakers', (signal) => listObservabilityCircuitBreakers(desk, { signal }))
  const reset = async (name: string) => {
    await resetObservabilityCircuitBreaker(desk, { path: { name } })
    toast({ text: say('resetDone') })
    await breakers.reload()
  }
  return (
    <section class="stack">
      <h2>{say('breakers')}</h2>
      <p class="second small">{say('breakersText')}</p>
      <Shown of={breakers} rows={3}>
        {(all) => (
          <ul class="dense">
            {Object.entries(all).map(([name, breaker]) => (
              <li key={name} class="row alert-line" title={breaker.last_error ?? undefined}>
                <span class="grow">
                  {nameOfPart(name as 'disk')}
                  {breaker.failure_count > 0 && (
                    <span class="second small"> · {say('failures', { n: breaker.failure_count })}</span>
                  )}
                </span>
                {breaker.configured && breaker.state !== 'CLOSED' && may('admin') && (
                  <Button isSmall onPress={() => reset(name)}>
                    {say('reset')}
                  </Button>
                )}
                {breaker.configured ? (
                  <Tag tone={TONES[breaker.state]}>{say(breaker.state)}</Tag>
                ) : (
                  <Tag>{say('not_configured')}</Tag>
                )}
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </section>
  )
}
