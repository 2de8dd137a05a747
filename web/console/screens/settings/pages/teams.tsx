import { useSignal } from '@preact/signals'
import {
  addAgentTeam,
  deleteAgentTeam,
  type ListAgentTeams,
  listAgentTeams,
  listConsolePeople,
  setAgentTeam,
} from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { session } from '../../../shell/session.ts'
import { Button } from '../../../ui/button.tsx'
import { explain } from '../../../ui/failure.ts'
import { Check, TextField } from '../../../ui/fields.tsx'
import { Form } from '../../../ui/form.tsx'
import { nameOf } from '../../../ui/names.ts'
import { Shown, useResource } from '../../../ui/resource.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { say } from '../words.ts'

type Team = ListAgentTeams['result']['teams'][number]
type Draft = Omit<Team, 'team_id'>
const CHANNELS = ['web', 'app', 'wechat', 'dingtalk', 'email', 'api'] as const
const LANGUAGES = ['en', 'zh'] as const
const NONE: Draft = { name: '', members: [], channels: [], languages: [] }

/** Groups of people who get certain conversations. */
export function TeamsPage() {
  const teams = useResource('teams', (signal) => listAgentTeams(desk, { signal }))
  const edited = useSignal<Team | 'new' | null>(null)
  if (session.value?.mode === 'keyless') return <p>{say('people.keyless')}</p>
  const remove = async ({ team_id: id, ...team }: Team) => {
    await deleteAgentTeam(desk, { path: { team_id: id } })
    toast({
      text: say('removed'),
      undo: async () => {
        await addAgentTeam(desk, { body: team })
        await teams.reload()
      },
    })
    await teams.reload()
  }
  return (
    <>
      {edited.value ? (
        <Editor
          key={edited.value === 'new' ? 'new' : edited.value.team_id}
          team={edited.value}
          onDone={async () => {
            edited.value = null
            await teams.reload()
          }}
        />
      ) : (
        <div>
          <Button kind="primary" onPress={() => void (edited.value = 'new')}>
            {say('teams.new')}
          </Button>
        </div>
      )}
      <Shown of={teams}>
        {({ teams: all }) =>
          all.length === 0 ? (
            <p class="second">{say('teams.none')}</p>
          ) : (
            <ul class="stack">
              {all.map((team) => (
                <li key={team.team_id} class="row">
                  <div class="grow">
                    <strong>{team.name}</strong>
                    <p class="second dense">
                      {[
                        ...team.members,
                        ...team.channels.map((channel) => nameOf.channel(channel)),
                        ...team.languages.map((language) => say(`language.${language}`)),
                      ].join(' · ')}
                    </p>
                  </div>
                  <Button isSmall label={`${say('edit')}: ${team.name}`} onPress={() => void (edited.value = team)}>
                    {say('edit')}
                  </Button>
                  <Button isSmall kind="danger" label={`${say('remove')}: ${team.name}`} onPress={() => remove(team)}>
                    {say('remove')}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </>
  )
}

function Editor({ team, onDone }: { team: Team | 'new'; onDone: () => Promise<void> }) {
  const draft = useSignal<Draft>(team === 'new' ? NONE : team)
  const error = useSignal('')
  const people = useResource('people', (signal) => listConsolePeople(desk, { signal }))
  const toggle = <K extends 'members' | 'channels' | 'languages'>(field: K, value: Draft[K][number], isOn: boolean) => {
    const rest = (draft.value[field] as Draft[K][number][]).filter((each) => each !== value)
    draft.value = { ...draft.value, [field]: isOn ? [...rest, value] : rest }
  }
  const save = async () => {
    const { name, members, channels, languages } = draft.value
    const body = { name, members, channels, languages }
    try {
      if (team === 'new') await addAgentTeam(desk, { body })
      else await setAgentTeam(desk, { path: { team_id: team.team_id }, body })
      await onDone()
    } catch (failure) {
      error.value = explain(failure)
    }
  }
  return (
    <Form class="settings-form" onSubmit={save}>
      <TextField
        label={say('teams.name')}
        value={draft.value.name}
        onInput={(name) => (draft.value = { ...draft.value, name })}
        error={error.value || undefined}
      />
      <fieldset>
        <legend>{say('teams.members')}</legend>
        {people.data.value?.people.map(({ name, display_name: shown }) => (
          <div key={name}>
            <Check
              label={shown}
              checked={draft.value.members.includes(name)}
              onChange={(isOn) => toggle('members', name, isOn)}
            />
          </div>
        ))}
      </fieldset>
      <fieldset>
        <legend>{say('teams.channels')}</legend>
        {CHANNELS.map((name) => (
          <div key={name}>
            <Check
              label={nameOf.channel(name)}
              checked={draft.value.channels.includes(name)}
              onChange={(isOn) => toggle('channels', name, isOn)}
            />
          </div>
        ))}
      </fieldset>
      <fieldset>
        <legend>{say('teams.languages')}</legend>
        {LANGUAGES.map((name) => (
          <div key={name}>
            <Check
              label={say(`language.${name}`)}
              checked={draft.value.languages.includes(name)}
              onChange={(isOn) => toggle('languages', name, isOn)}
            />
          </div>
        ))}
      </fieldset>
      <div class="wide row">
        <Button kind="primary" type="submit" disabled={draft.value.name.trim() === ''}>
          {say('save')}
        </Button>
        <Button onPress={onDone}>{say('cancel')}</Button>
      </div>
    </Form>
  )
}
