import { useSignal } from '@preact/signals'
import { listConsolePeople, listPresence } from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { agentName, session } from '../../../shell/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextArea } from '../../../ui/fields.tsx'
import { Shown, useResource } from '../../../ui/resource.tsx'
import { say } from '../words.ts'
import { transfer } from './actions.ts'
import type { ConversationState } from './state.ts'

/** Gives a conversation to a colleague; those who are at the desk come first. */
export function TransferDialog({ state, onClose }: { state: ConversationState; onClose: () => void }) {
  const colleagues = useResource('colleagues', fetchColleagues)
  const note = useSignal('')
  return (
    <Dialog title={say('transferTo')} onClose={onClose}>
      <TextArea label={say('transferNote')} value={note.value} onInput={(text) => (note.value = text)} rows={2} />
      <Shown of={colleagues} rows={3}>
        {(people) =>
          people.length === 0 ? (
            <p class="second">{say('noColleague')}</p>
          ) : (
            <ul class="stack">
              {people.map((person) => (
                <li key={person.name} class="row">
                  <span class={`dot ${person.state === 'online' ? 'good' : ''}`} aria-hidden="true" />
                  <span class="grow">{person.display_name}</span>
                  <span class="second small number">{person.open}</span>
                  <Button
                    isSmall
                    label={`${say('transfer')}: ${person.display_name}`}
                    onPress={async () => {
                      await transfer(state, person, note.value)
                      onClose()
                    }}
                  >
                    {say('transfer')}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </Dialog>
  )
}

async function fetchColleagues(signal: AbortSignal) {
  // Without a key there are no people.
  if (session.value?.mode === 'keyless') return []
  const [{ people }, presence] = await Promise.all([
    listConsolePeople(desk, { signal }),
    listPresence(desk, { signal }),
  ])
  const seen = new Map(presence.people.map((each) => [each.agent_id, each]))
  return people
    .filter(({ name, is_active: isActive }) => isActive && name !== agentName.value)
    .map((person) => ({
      ...person,
      state: seen.get(person.name)?.state ?? 'offline',
      open: seen.get(person.name)?.open_sessions ?? 0,
    }))
    .toSorted(
      (one, other) => Number(other.state === 'online') - Number(one.state === 'online') || one.open - other.open,
    )
}
