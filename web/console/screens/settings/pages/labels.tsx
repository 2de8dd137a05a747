import { useSignal } from '@preact/signals'
import {
  addAgentLabel,
  deleteAgentLabel,
  type ListAgentLabels,
  listAgentLabels,
  setAgentLabel,
} from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { to } from '../../../shell/router.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/dialog.tsx'
import { explain } from '../../../ui/failure.ts'
import { TextField } from '../../../ui/fields.tsx'
import { Form } from '../../../ui/form.tsx'
import { Shown, useResource } from '../../../ui/resource.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { say } from '../words.ts'

type Label = ListAgentLabels['result']['labels'][number]
const COLOURS = ['grey', 'red', 'orange', 'amber', 'green', 'teal', 'blue', 'violet', 'pink'] as const

/** Words that sort conversations. */
export function LabelsPage() {
  const labels = useResource('labels', (signal) => listAgentLabels(desk, { signal }))
  const name = useSignal('')
  const error = useSignal('')
  const add = async () => {
    try {
      error.value = ''
      await addAgentLabel(desk, { body: { name: name.value.trim() } })
      name.value = ''
      await labels.reload()
    } catch (failure) {
      error.value = explain(failure)
    }
  }
  return (
    <>
      <Form class="settings-form" onSubmit={add}>
        <TextField
          label={say('labels.new')}
          value={name.value}
          onInput={(text) => (name.value = text)}
          error={error.value || undefined}
          maxLength={50}
        />
        <div class="wide">
          <Button kind="primary" type="submit" disabled={name.value.trim() === ''}>
            {say('add')}
          </Button>
        </div>
      </Form>
      <Shown of={labels}>
        {({ labels: all }) =>
          all.length === 0 ? (
            <p class="second">{say('labels.none')}</p>
          ) : (
            <table>
              <tbody>
                {all.map((label) => (
                  <Row key={label.label_id} label={label} reload={labels.reload} />
                ))}
              </tbody>
            </table>
          )
        }
      </Shown>
    </>
  )
}

function Row({ label, reload }: { label: Label; reload: () => Promise<void> }) {
  const isRemoving = useSignal(false)
  const path = { label_id: label.label_id }
  const change = async (body: { name: string; colour: Label['colour'] }) => {
    await setAgentLabel(desk, { path, body }).catch((failure: unknown) =>
      toast({ kind: 'bad', text: explain(failure) }),
    )
    await reload()
  }
  return (
    <tr>
      <td>
        <input
          aria-label={say('labels.name')}
          value={label.name}
          onChange={(event) => void change({ name: event.currentTarget.value, colour: label.colour })}
        />
      </td>
      <td>
        <select
          aria-label={say('labels.colour', { name: label.name })}
          value={label.colour}
          onChange={(event) => void change({ name: label.name, colour: event.currentTarget.value as Label['colour'] })}
        >
          {COLOURS.map((colour) => (
            <option key={colour} value={colour}>
              {say(`colour.${colour}`)}
            </option>
          ))}
        </select>
      </td>
      <td>
        <a href={to('inbox', { tab: 'all', label: label.label_id })}>{say('labels.sessions', { n: label.sessions })}</a>
      </td>
      <td>
        <Button
          isSmall
          kind="danger"
          label={`${say('remove')}: ${label.name}`}
          onPress={() => void (isRemoving.value = true)}
        >
          {say('remove')}
        </Button>
        {isRemoving.value && (
          <Confirm
            title={say('labels.removeTitle', { name: label.name })}
            text={say('labels.removeText', { n: label.sessions })}
            action={say('remove')}
            onClose={() => (isRemoving.value = false)}
            onConfirm={async () => {
              await deleteAgentLabel(desk, { path })
              await reload()
            }}
          />
        )}
      </td>
    </tr>
  )
}
