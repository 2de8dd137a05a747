import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { type ListSettingsWidgets, setSettingsWidget } from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { Button } from '../../../ui/button.tsx'
import { explain } from '../../../ui/failure.ts'
import { Check, Choice, TextArea, TextField } from '../../../ui/fields.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { say } from '../words.ts'

type Widget = ListSettingsWidgets['result']['widgets'][number]
type Look = Widget['settings']
type Text = keyof typeof LONGEST

/** Most characters of each, as the service takes them. */
const LONGEST = { title: 60, greeting: 500, notice: 300 } as const
const OFFERED = { both: ['zh', 'en'], en: ['en'], zh: ['zh'] } as const
const LANGUAGES = ['en', 'zh'] as const
const FLAGS = ['shows_sources', 'allows_attachments', 'offers_person', 'asks_for_rating', 'requires_identity'] as const
/** The widget's own, where none was chosen. */
const DEFAULT_COLOUR = '#2c56b5'

interface LookProps {
  widget: Widget
  /** The language whose words are written and shown. */
  shown: Signal<'en' | 'zh'>
  onSaved: () => Promise<void>
}

/** How a widget looks and what it says, beside how that will be. */
export function WidgetLook({ widget, shown, onSaved }: LookProps) {
  const look = useSignal<Look>(widget.settings)
  const error = useSignal('')
  const set = (change: Partial<Look>) => (look.value = { ...look.value, ...change })
  const store = async (settings: Look) => {
    await setSettingsWidget(desk, { path: { widget_id: widget.widget_id }, body: { settings } })
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
        <Words key={shown.value} look={look.value} language={shown.value} set={set} />
        <Appearance look={look.value} set={set} />
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

interface PartProps {
  look: Look
  set: (change: Partial<Look>) => void
}

/** All that is said in one language. */
function Words({ look, language, set }: PartProps & { language: 'en' | 'zh' }) {
  // As it is written: a line that was just begun is none yet.
  const starters = useSignal(look.starters[language].join('\n'))
  const textOf = (name: Text) => ({
    label: say(`widgets.${name}`),
    maxLength: LONGEST[name],
    value: look[name][language],
    onInput: (text: string) => set({ [name]: { ...look[name], [language]: text } }),
  })
  return (
    <>
      <TextField {...textOf('title')} />
      <TextArea rows={3} {...textOf('greeting')} />
      <TextArea rows={2} {...textOf('notice')} />
      <TextArea
        rows={3}
        label={say('widgets.starters')}
        hint={say('widgets.startersHint')}
        value={starters.value}
        onInput={(text) => {
          starters.value = text
          const lines = text.split('\n').map((line) => line.trim())
          set({ starters: { ...look.starters, [language]: lines.filter(Boolean) } })
        }}
      />
    </>
  )
}

function Appearance({ look, set }: PartProps) {
  const offered = look.languages.length > 1 ? 'both' : (look.languages[0] ?? 'both')
  return (
    <div class="settings-form">
      <div class="row">
        <label class="stack">
          {say('widgets.colour')}
          <input
            type="color"
            value={look.colour || DEFAULT_COLOUR}
            onInput={(event) => set({ colour: event.currentTarget.value })}
          />
        </label>
        {look.colour !== '' && (
          <Button isSmall onPress={() => set({ colour: '' })}>
            {say('widgets.usualColour')}
          </Button>
        )}
      </div>
      <Choice
        label={say('widgets.position')}
        value={look.position}
        onChange={(position) => set({ position })}
        options={[
          { value: 'right', text: say('widgets.right') },
          { value: 'left', text: say('widgets.left') },
        ]}
      />
      <Choice
        label={say('widgets.offered')}
        value={offered}
        onChange={(next) => set({ languages: [...OFFERED[next]] })}
        options={[
          { value: 'both', text: say('widgets.both') },
          { value: 'en', text: say('language.en') },
          { value: 'zh', text: say('language.zh') },
        ]}
      />
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
  return (
    <div class={`widget-stage ${look.position}`}>
      <div ref={place} class="widget-preview" role="group" aria-label={say('widgets.preview')} />
      <span class="widget-launcher" style={{ background: look.colour || DEFAULT_COLOUR }} aria-hidden="true" />
    </div>
  )
}
