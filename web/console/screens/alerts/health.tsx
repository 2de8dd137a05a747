import { type GetObservabilityHealth, getObservabilityHealth } from '../../../../clients/typescript/src/index.ts'
import { language } from '../../../shared/words.ts'
import { desk } from '../../api.ts'
import { Shown, useResource } from '../../ui/resource.tsx'
import { Tag, type Tone } from '../../ui/tag.tsx'
import { nameOfPart, say } from './words.ts'

type Check = GetObservabilityHealth['result']['checks'][number]

const TONES: Readonly<Record<Check['status'], Tone>> = {
  healthy: 'good',
  degraded: 'warn',
  unhealthy: 'bad',
  not_configured: 'plain',
}

/** What the service needs, and whether it has it. */
export function Health() {
  const health = useResource('health', (signal) => getObservabilityHealth(desk, { signal }))
  return (
    <section class="stack">
      <h2>{say('health')}</h2>
      <Shown of={health} rows={3}>
        {({ checks }) => (
          <ul class="dense">
            {checks.map((check) => (
              <li key={check.name} class="row alert-line" title={check.words[language.value]}>
                <span class="grow">{nameOfPart(check.name as 'disk')}</span>
                {check.status !== 'not_configured' && (
                  <span class="second number">{say('ms', { n: Math.round(check.latency_ms) })}</span>
                )}
                <Tag tone={TONES[check.status]}>{say(check.status)}</Tag>
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </section>
  )
}
