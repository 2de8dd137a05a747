import { useSignal } from '@preact/signals'
import { endLogIn, listLogIns, setConsolePassword } from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { session } from '../../../shell/session.ts'
import { Button } from '../../../ui/button.tsx'
import { explain } from '../../../ui/failure.ts'
import { TextField } from '../../../ui/fields.tsx'
import { Form } from '../../../ui/form.tsx'
import { nameOf } from '../../../ui/names.ts'
import { Shown, useResource } from '../../../ui/resource.tsx'
import { Ago } from '../../../ui/time.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { say } from '../words.ts'

/** One's own password, and where one is logged in. */
export function AccountPage() {
  const { person, mode } = session.value ?? {}
  if (mode === 'keyless') return <p>{say('people.keyless')}</p>
  return (
    <>
      {person && (
        <p>
          <strong>{person.display_name}</strong> <span class="second">{person.name}</span> · {nameOf.role(person.role)}:{' '}
          {say(`people.may.${person.role}`)}
        </p>
      )}
      {person && <Password />}
      <LogIns />
    </>
  )
}

function Password() {
  const current = useSignal('')
  const next = useSignal('')
  const error = useSignal('')
  const save = async () => {
    error.value = ''
    try {
      await setConsolePassword(desk, { body: { current_password: current.value, new_password: next.value } })
      current.value = ''
      next.value = ''
      toast({ text: say('account.changed') })
    } catch (failure) {
      error.value = explain(failure)
    }
  }
  return (
    <Form class="settings-form" onSubmit={save}>
      <TextField
        type="password"
        label={say('account.current')}
        value={current.value}
        onInput={(text) => (current.value = text)}
        autoComplete="current-password"
        error={error.value || undefined}
      />
      <TextField
        type="password"
        label={say('account.next')}
        hint={say('account.nextHint')}
        value={next.value}
        onInput={(text) => (next.value = text)}
        autoComplete="new-password"
      />
      <div class="wide">
        <Button kind="primary" type="submit" disabled={current.value === '' || next.value === ''}>
          {say('account.change')}
        </Button>
      </div>
    </Form>
  )
}

function LogIns() {
  const logIns = useResource('log-ins', (signal) => listLogIns(desk, { signal }))
  return (
    <Shown of={logIns}>
      {({ log_ins: all }) => (
        <table>
          <caption class="unseen">{say('account.logIns')}</caption>
          <thead>
            <tr>
              <th scope="col">{say('account.where')}</th>
              <th scope="col">{say('account.since')}</th>
              <th scope="col">{say('account.used')}</th>
              <th scope="col">
                <span class="unseen">{say('actions')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {all.map((each) => (
              <tr key={each.log_in_id}>
                <td>
                  {each.address} <span class="second small">{each.user_agent}</span>
                </td>
                <td>
                  <Ago at={each.created_at} />
                </td>
                <td>
                  <Ago at={each.last_used_at} />
                </td>
                <td>
                  <Button
                    isSmall
                    onPress={async () => {
                      await endLogIn(desk, { path: { log_in_id: each.log_in_id } })
                      await logIns.reload()
                    }}
                  >
                    {say('account.end')}
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Shown>
  )
}
