import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { type ListSettingsWidgets, setSettingsWidget } from '../../../../../clients/typescript/src/index.ts'
import { language } from '../../../../shared/words.ts'
import { desk } from '../../../api.ts'
import { Button } from '../../../ui/button.tsx'
import { explain } from '../../../ui/failure.ts'
import { Check, Choice, TextArea, TextField } from '../../../ui/fields.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { say } from '../words.ts'

type Widget = ListSettingsWidgets['result']['widgets'][number]
type Look = Widget['settings']
type Text = 'title' | 'greeting' | 'notice'

const TEXTS: readonly Text[] = ['title', 'greeting', 'notice']
const LANGUAGES = ['en', 'zh'] as const
const FLAGS = ['shows_sources', 'allows_attachments', 'offers_person', 'asks_for_rating', 'requires_identity'] as const
/** The widget's own, where none was chosen. */
const DEFAULT_COLOUR = '#2c56b5'

/** How a widget looks and what it says, beside how that will be. */
export function WidgetLook({ widget, onSaved }: { widget: Widget; onSaved: () => Promise<void> }) {
  const look = useSignal<Look>(widget.settings)
  const shown = useSignal<'en' | 'zh'>(language.value)
  const error = useSignal('')
  const set = (change: Partial<Look>) => (look.value = { ...look.value, ...change })
  const store = async (settings: Look) => {
    const { colour, ...rest } = settings
    const body = { settings: { ...rest, ...(colour ? { colour } : {}) } }
    await setSettingsWidget(desk, { path: { widget_id: widget.widget_id }, body })
    await onSaved()
  }
  const save = async () => {
    error.value = ''
    try {
      await store(look.value)
      toast({ text: say('saved'), undo: () => store(widget.settings) })
    } catch (failure) {
      error.value = explain(failure)
    }
  }
  return (
    <div class="widget-look">
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <Choice
          label={say('widgets.language')}
          value={shown.value}
          onChange={(next) => (shown.value = next)}
          options={LANGUAGES.map((value) => ({ value, text: say(`language.${value}`) }))}
        />
        {TEXTS.map((name) => (
          <TextField
            key={`${name} ${shown.value}`}
            label={say(`widgets.${name}`)}
            value={look.value[name][shown.value]}
            onInput={(text) => set({ [name]: { ...look.value[name], [shown.value]: text } })}
          />
        ))}
        <TextArea
          key={`starters ${shown.value}`}
          rows={3}
          label={say('widgets.starters')}
          hint={say('widgets.startersHint')}
          value={look.value.starters[shown.value].join('\n')}
          onInput={(text) =>
            set({ starters: { ...look.value.starters, [shown.value]: text.split('\n').filter(Boolean) } })
          }
        />
        <div class="settings-form">
          <label class="stack">
            {say('widgets.colour')}
            <input
              type="color"
              value={look.value.colour || DEFAULT_COLOUR}
              onInput={(event) => set({ colour: event.currentTarget.value })}
            />
          </label>
          <Choice
            label={say('widgets.position')}
            value={look.value.position}
            onChange={(position) => set({ position })}
            options={[
              { value: 'right', text: say('widgets.right') },
              { value: 'left', text: say('widgets.left') },
            ]}
          />
        </div>
        <div>
          {FLAGS.map((flag) => (
            <div key={flag}>
              <Check
                label={say(`widgets.${flag}`)}
                checked={look.value[flag]}
                onChange={(isOn) => set({ [flag]: isOn })}
              />
            </div>
          ))}
        </div>
        {error.value && (
          <p class="field-error" role="alert">
            {error.value}
          </p>
        )}
        <div>
          <Button kind="primary" type="submit">
            {say('save')}
          </Button>
        </div>
      </form>
      <Preview look={look.value} shown={shown.value} />
    </div>
  )
}

/** The widget itself, with what is set in it; its code is fetched when somebody looks. */
function Preview({ look, shown }: { look: Look; shown: 'en' | 'zh' }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let isGone = false
    void import('../../../../widget/preview.ts').then(({ showPreview }) => {
      if (!isGone && place.current) showPreview(place.current, look, shown)
    })
    return () => {
      isGone = true
    }
  }, [look, shown])
  return <div ref={place} class="widget-preview" role="group" aria-label={say('widgets.preview')} />
}
