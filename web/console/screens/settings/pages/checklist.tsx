import { getOperationsReleaseChecklist } from '../../../../../clients/typescript/src/index.ts'
import { language } from '../../../../shared/words.ts'
import { desk } from '../../../api.ts'
import { to } from '../../../shell/router.ts'
import { Button } from '../../../ui/button.tsx'
import { Shown, useResource } from '../../../ui/resource.tsx'
import { Progress } from '../../../ui/states.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { nameOfCheck } from '../check-names.ts'
import { say } from '../words.ts'

/** Where what a check asks for is mended; others are settings of the machine. */
const PLACES: Readonly<Record<string, string>> = {
  knowledge_base: to('knowledge'),
  evaluation: to('evaluation'),
  critical_alerts: to('alerts'),
  circuit_breakers: to('alerts'),
  api_key: to('settings', 'system'),
}

/** What to do before customers come, as the service itself sees it. */
export function ChecklistPage() {
  const checklist = useResource('checklist', (signal) => getOperationsReleaseChecklist(desk, { signal }))
  return (
    <Shown of={checklist}>
      {({ checks, passed, total }) => (
        <>
          <Progress label={say('checklist.done')} done={passed} total={total} />
          <ul>
            {checks
              .toSorted((one, other) => one.status.localeCompare(other.status))
              .map((check) => (
                <li key={check.name} class="check-line">
                  <span>
                    <Tag tone={check.status === 'passed' ? 'good' : 'warn'}>{say(`checklist.${check.status}`)}</Tag>
                  </span>
                  <span>
                    <strong>{nameOfCheck(check.name as 'database')}</strong>{' '}
                    {check.words && <span class="second">{check.words[language.value]}</span>}{' '}
                    {check.status === 'failed' && (
                      <a href={PLACES[check.name] ?? to('settings', 'system')}>{say('checklist.mend')}</a>
                    )}
                  </span>
                </li>
              ))}
          </ul>
          <div>
            <Button onPress={checklist.reload}>{say('checklist.again')}</Button>
          </div>
        </>
      )}
    </Shown>
  )
}
