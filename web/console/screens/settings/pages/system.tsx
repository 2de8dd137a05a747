import { useSignal } from '@preact/signals'
import { type GetSettings, getSettings } from '../../../../../clients/typescript/src/index.ts'
import { language } from '../../../../shared/words.ts'
import { desk } from '../../../api.ts'
import { Check, TextField } from '../../../ui/fields.tsx'
import { Shown, useResource } from '../../../ui/resource.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { SETTINGS_ZH } from '../setting-words.ts'
import { say } from '../words.ts'

type Setting = GetSettings['result']['settings'][number]

/** Settings of the machine, as they are in effect. They are changed where the service runs. */
export function SystemPage() {
  const settings = useResource('settings', (signal) => getSettings(desk, { signal }))
  const q = useSignal('')
  const onlySet = useSignal(false)
  const wanted = q.value.trim().toLowerCase()
  const fits = (each: Setting) =>
    (!onlySet.value || each.source !== 'default') && `${each.name} ${meaningOf(each)}`.toLowerCase().includes(wanted)
  return (
    <>
      <search class="row">
        <TextField
          isBare
          type="search"
          label={say('search')}
          placeholder={say('search')}
          value={q.value}
          onInput={(text) => (q.value = text)}
        />
        <Check label={say('system.onlySet')} checked={onlySet.value} onChange={(isOn) => (onlySet.value = isOn)} />
      </search>
      <Shown of={settings}>
        {({ settings: all }) => (
          <table>
            <thead>
              <tr>
                <th scope="col">{say('system.name')}</th>
                <th scope="col">{say('system.value')}</th>
                <th scope="col">{say('system.meaning')}</th>
              </tr>
            </thead>
            <tbody>
              {all.filter(fits).map((each) => (
                <tr key={each.name}>
                  <th scope="row">
                    <code>{each.name}</code>
                  </th>
                  <td>
                    <code>{shownValue(each)}</code>{' '}
                    {each.source !== 'default' && <Tag tone="accent">{say('system.set')}</Tag>}
                  </td>
                  <td>{meaningOf(each)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Shown>
    </>
  )
}

function meaningOf({ name, description }: Setting): string {
  return (language.value === 'zh' && SETTINGS_ZH[name]) || description
}

function shownValue({ is_secret: isSecret, is_set: isSet, value }: Setting): string {
  if (isSecret) return isSet ? '•••' : '–'
  return value === '' || value === null ? '–' : String(value)
}
