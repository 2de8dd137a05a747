import { useSignal } from '@preact/signals'
import {
  type GetSettingsAssistant,
  getSettingsAssistant,
  listAssistantHistory,
  setSettingsAssistant,
  undoSettingsAssistant,
} from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { Button } from '../../../ui/button.tsx'
import { explain } from '../../../ui/failure.ts'
import { TextArea, TextField } from '../../../ui/fields.tsx'
import { Form } from '../../../ui/form.tsx'
import { Shown, useResource } from '../../../ui/resource.tsx'
import { At } from '../../../ui/time.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { say } from '../words.ts'

type Assistant = GetSettingsAssistant['result']
const TEXTS = ['name', 'greeting_en', 'greeting_zh', 'model'] as const
const HISTORY = 20

/** How the assistant calls itself, greets and speaks, and which model words its answers. */
export function AssistantPage() {
  const assistant = useResource('assistant', (signal) => getSettingsAssistant(desk, { signal }))
  const history = useResource('history', (signal) => listAssistantHistory(desk, { query: { limit: HISTORY }, signal }))
  const reload = async () => {
    await Promise.all([assistant.reload(), history.reload()])
  }
  return (
    <>
      <Shown of={assistant}>{(known) => <Editor key={known.version} known={known} reload={reload} />}</Shown>
      <Shown of={history}>
        {({ items }) => (
          <details>
            <summary>{say('history')}</summary>
            <ul class="stack dense">
              {items.map((each) => (
                <li key={each.version}>
                  <At at={each.created_at} /> {each.created_by ?? ''} ·{' '}
                  {Object.keys(each.changes).map(nameOfField).join(', ')}
                </li>
              ))}
            </ul>
          </details>
        )}
      </Shown>
    </>
  )
}

function nameOfField(name: string): string {
  return say(`assistant.${name as 'name'}`)
}

function Editor({ known, reload }: { known: Assistant; reload: () => Promise<void> }) {
  const draft = useSignal(known.settings)
  const error = useSignal('')
  const undo = async () => {
    await undoSettingsAssistant(desk, { body: {} })
    await reload()
  }
  const save = async () => {
    error.value = ''
    const changed = Object.entries(draft.value).filter(
      ([name, value]) => value !== null && value !== known.settings[name as keyof typeof known.settings],
    )
    if (changed.length === 0) return
    try {
      await setSettingsAssistant(desk, { body: { ...Object.fromEntries(changed), expected_version: known.version } })
      toast({ text: say('saved'), undo })
      await reload()
    } catch (failure) {
      error.value = explain(failure)
    }
  }
  return (
    <Form class="settings-form" onSubmit={save}>
      {!known.has_model && <p class="wide second">{say('assistant.noModel')}</p>}
      {TEXTS.map((name) => (
        <TextField
          key={name}
          label={say(`assistant.${name}`)}
          hint={known.sources[name] === 'stored' ? say('assistant.stored') : undefined}
          value={draft.value[name]}
          onInput={(text) => (draft.value = { ...draft.value, [name]: text })}
        />
      ))}
      <TextField
        type="number"
        step={0.1}
        min={0}
        max={2}
        label={say('assistant.temperature')}
        value={String(draft.value.temperature ?? '')}
        onInput={(text) => (draft.value = { ...draft.value, temperature: text === '' ? null : Number(text) })}
      />
      <div class="wide">
        <TextArea
          label={say('assistant.persona')}
          hint={say('assistant.personaHint')}
          value={draft.value.persona}
          onInput={(persona) => (draft.value = { ...draft.value, persona })}
        />
      </div>
      {error.value && (
        <p class="field-error wide" role="alert">
          {error.value}
        </p>
      )}
      <div class="wide row">
        <Button kind="primary" type="submit">
          {say('save')}
        </Button>
        {known.version > 1 && <Button onPress={undo}>{say('assistant.undo')}</Button>}
      </div>
    </Form>
  )
}
