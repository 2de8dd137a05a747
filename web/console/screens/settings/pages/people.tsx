import { useSignal } from '@preact/signals'
import {
  addConsolePerson,
  deleteConsolePerson,
  type ListConsolePeople,
  listConsolePeople,
  resetPassword,
  setConsolePerson,
} from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { session } from '../../../shell/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/dialog.tsx'
import { explain } from '../../../ui/failure.ts'
import { Choice, TextField } from '../../../ui/fields.tsx'
import { Form } from '../../../ui/form.tsx'
import { nameOf } from '../../../ui/names.ts'
import { Shown, useResource } from '../../../ui/resource.tsx'
import { Secret } from '../../../ui/secret.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { Ago } from '../../../ui/time.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { say } from '../words.ts'

type Person = ListConsolePeople['result']['people'][number]
type Role = Person['role']
const ROLES: readonly Role[] = ['agent', 'editor', 'admin']

/** Who may log in, and what each of them may do. */
export function PeoplePage() {
  const people = useResource('people', (signal) => listConsolePeople(desk, { signal }))
  const password = useSignal<{ name: string; password: string } | null>(null)
  if (session.value?.mode === 'keyless') return <p>{say('people.keyless')}</p>
  return (
    <>
      <NewPerson
        onAdded={async (added) => {
          password.value = added
          await people.reload()
        }}
      />
      {password.value && (
        <Secret label={say('people.password', { name: password.value.name })} value={password.value.password} />
      )}
      <Shown of={people}>
        {({ people: all }) => (
          <table>
            <thead>
              <tr>
                <th scope="col">{say('people.name')}</th>
                <th scope="col">{say('people.role')}</th>
                <th scope="col">{say('people.seen')}</th>
                <th scope="col">
                  <span class="unseen">{say('actions')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {all.map((person) => (
                <Row
                  key={person.name}
                  person={person}
                  reload={people.reload}
                  onPassword={(made) => (password.value = made)}
                />
              ))}
            </tbody>
          </table>
        )}
      </Shown>
    </>
  )
}

function NewPerson({ onAdded }: { onAdded: (added: { name: string; password: string }) => Promise<void> }) {
  const name = useSignal('')
  const displayName = useSignal('')
  const role = useSignal<Role>('agent')
  const error = useSignal('')
  const add = async () => {
    error.value = ''
    try {
      const shown = displayName.value.trim()
      const body = { name: name.value.trim(), role: role.value, ...(shown ? { display_name: shown } : {}) }
      const added = await addConsolePerson(desk, { body })
      toast({ text: say('people.added', { name: added.display_name }) })
      name.value = ''
      displayName.value = ''
      await onAdded({ name: added.name, password: added.password ?? '' })
    } catch (failure) {
      error.value = explain(failure)
    }
  }
  return (
    <Form class="settings-form" label={say('people.add')} onSubmit={add}>
      <TextField
        label={say('people.name')}
        hint={say('people.nameHint')}
        error={error.value || undefined}
        value={name.value}
        onInput={(text) => (name.value = text)}
        required
      />
      <TextField
        label={say('people.displayName')}
        value={displayName.value}
        onInput={(text) => (displayName.value = text)}
      />
      <Choice
        label={say('people.role')}
        hint={say(`people.may.${role.value}`)}
        value={role.value}
        onChange={(value) => (role.value = value)}
        options={ROLES.map((value) => ({ value, text: nameOf.role(value) }))}
      />
      <div class="wide">
        <Button kind="primary" type="submit" disabled={name.value.trim() === ''}>
          {say('people.add')}
        </Button>
      </div>
    </Form>
  )
}

function Row(props: {
  person: Person
  reload: () => Promise<void>
  onPassword: (made: { name: string; password: string }) => void
}) {
  const { person, reload, onPassword } = props
  const path = { name: person.name }
  const isRemoving = useSignal(false)
  const change = async (body: { role?: Role; is_active?: boolean }) => {
    const before = { role: person.role, is_active: person.is_active }
    try {
      await setConsolePerson(desk, { path, body })
      toast({
        text: say('saved'),
        undo: async () => {
          await setConsolePerson(desk, { path, body: before })
          await reload()
        },
      })
    } catch (failure) {
      toast({ kind: 'bad', text: explain(failure) })
    }
    await reload()
  }
  return (
    <tr>
      <td>
        <strong>{person.display_name}</strong> <span class="second">{person.name}</span>{' '}
        {!person.is_active && <Tag tone="warn">{say('people.inactive')}</Tag>}
        {person.must_change_password && <Tag>{say('people.mustChange')}</Tag>}
      </td>
      <td>
        <select
          aria-label={say('people.roleOf', { name: person.display_name })}
          value={person.role}
          onChange={(event) => void change({ role: event.currentTarget.value as Role })}
        >
          {ROLES.map((role) => (
            <option key={role} value={role}>
              {nameOf.role(role)}
            </option>
          ))}
        </select>
      </td>
      <td class="second">{person.last_seen_at ? <Ago at={person.last_seen_at} /> : say('never')}</td>
      <td>
        <div class="row">
          <Button isSmall onPress={() => change({ is_active: !person.is_active })}>
            {say(person.is_active ? 'people.deactivate' : 'people.activate')}
          </Button>
          <Button isSmall onPress={async () => onPassword(await resetPassword(desk, { path }))}>
            {say('people.reset')}
          </Button>
          <Button isSmall kind="danger" onPress={() => void (isRemoving.value = true)}>
            {say('remove')}
          </Button>
        </div>
        {isRemoving.value && (
          <Confirm
            title={say('people.removeTitle', { name: person.display_name })}
            text={say('people.removeText')}
            action={say('remove')}
            onClose={() => (isRemoving.value = false)}
            onConfirm={async () => {
              await deleteConsolePerson(desk, { path })
              await reload()
            }}
          />
        )}
      </td>
    </tr>
  )
}
