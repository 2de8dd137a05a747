import { useSignal } from '@preact/signals'
import {
  type GetSettingsAssignment,
  getSettingsAssignment,
  setSettingsAssignment,
} from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { Button } from '../../../ui/button.tsx'
import { explain } from '../../../ui/failure.ts'
import { Choice, TextField } from '../../../ui/fields.tsx'
import { Form } from '../../../ui/form.tsx'
import { nameOf } from '../../../ui/names.ts'
import { Shown, useResource } from '../../../ui/resource.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { say } from '../words.ts'

type Assignment = GetSettingsAssignment['result']
const PRIORITIES = ['urgent', 'high', 'medium', 'low'] as const

/** Who gets a conversation that waits, and how soon somebody should answer. */
export function AssignmentPage() {
  const assignment = useResource('assignment', (signal) => getSettingsAssignment(desk, { signal }))
  return (
    <Shown of={assignment}>
      {(known) => <Editor key={JSON.stringify(known)} known={known} reload={assignment.reload} />}
    </Shown>
  )
}

function Editor({ known, reload }: { known: Assignment; reload: () => Promise<void> }) {
  const draft = useSignal<Assignment>(known)
  const error = useSignal('')
  const store = async (body: Assignment) => {
    await setSettingsAssignment(desk, { body })
    await reload()
  }
  const save = async () => {
    error.value = ''
    try {
      await store(draft.value)
      toast({ text: say('saved'), undo: () => store(known) })
    } catch (failure) {
      error.value = explain(failure)
    }
  }
  return (
    <Form class="settings-form" onSubmit={save}>
      <Choice
        label={say('assignment.mode')}
        hint={say(`assignment.${draft.value.mode}.hint`)}
        value={draft.value.mode}
        onChange={(mode) => (draft.value = { ...draft.value, mode })}
        options={[
          { value: 'manual', text: say('assignment.manual') },
          { value: 'by_turn', text: say('assignment.by_turn') },
        ]}
      />
      <TextField
        type="number"
        min={1}
        label={say('assignment.most')}
        value={String(draft.value.max_open_sessions ?? '')}
        onInput={(text) => {
          const { max_open_sessions: _, ...rest } = draft.value
          draft.value = text === '' ? rest : { ...rest, max_open_sessions: Number(text) }
        }}
      />
      <fieldset class="wide settings-form">
        <legend>
          <h3>{say('assignment.targets')}</h3>
        </legend>
        {PRIORITIES.map((priority) => (
          <TextField
            key={priority}
            type="number"
            min={1}
            label={nameOf.priority(priority)}
            value={String(draft.value.targets?.[priority] ?? '')}
            onInput={(text) => {
              const { [priority]: _, ...rest } = draft.value.targets ?? {}
              draft.value = { ...draft.value, targets: text === '' ? rest : { ...rest, [priority]: Number(text) } }
            }}
          />
        ))}
      </fieldset>
      {error.value && (
        <p class="field-error wide" role="alert">
          {error.value}
        </p>
      )}
      <div class="wide">
        <Button kind="primary" type="submit">
          {say('save')}
        </Button>
      </div>
    </Form>
  )
}
