import { useSignal } from '@preact/signals'
import {
  deleteSettingsHours,
  getSettingsHours,
  type SetSettingsHours,
  setSettingsHours,
} from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { Button } from '../../../ui/button.tsx'
import { explain } from '../../../ui/failure.ts'
import { TextArea, TextField } from '../../../ui/fields.tsx'
import { Form } from '../../../ui/form.tsx'
import { Shown, useResource } from '../../../ui/resource.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { say } from '../words.ts'

type Hours = SetSettingsHours['body']
type Interval = { from: string; to: string }
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
const USUAL: Interval = { from: '09:00', to: '18:00' }

/** When people are at the desk. Until it is set they count as always there. */
export function HoursPage() {
  const hours = useResource('hours', (signal) => getSettingsHours(desk, { signal }))
  return (
    <Shown of={hours}>
      {({ hours: known, configured, updated_at: at }) => (
        <Editor key={at} known={known as Hours | null} isSet={configured} reload={hours.reload} />
      )}
    </Shown>
  )
}

function Editor({ known, isSet, reload }: { known: Hours | null; isSet: boolean; reload: () => Promise<void> }) {
  const hours = useSignal<Hours>(
    known ?? { timezone: Intl.DateTimeFormat().resolvedOptions().timeZone, weekly: usualWeek() },
  )
  const error = useSignal('')
  const set = (change: Partial<Hours>) => (hours.value = { ...hours.value, ...change })
  const store = async (body: Hours) => {
    await setSettingsHours(desk, { body })
    await reload()
  }
  const save = async () => {
    error.value = ''
    try {
      await store(hours.value)
      toast({ text: say('saved'), undo: known ? () => store(known) : undefined })
    } catch (failure) {
      error.value = explain(failure)
    }
  }
  const clear = async () => {
    await deleteSettingsHours(desk)
    toast({ text: say('hours.cleared'), undo: known ? () => store(known) : undefined })
    await reload()
  }
  return (
    <Form class="stack" onSubmit={save}>
      {!isSet && <p>{say('hours.notSet')}</p>}
      <div class="settings-form">
        <TextField
          label={say('hours.timezone')}
          value={hours.value.timezone}
          onInput={(timezone) => set({ timezone })}
        />
      </div>
      <div>
        {DAYS.map((day) => (
          <Day
            key={day}
            name={say(`day.${day}`)}
            intervals={hours.value.weekly[day] ?? []}
            onChange={(intervals) => set({ weekly: { ...hours.value.weekly, [day]: intervals } })}
          />
        ))}
      </div>
      <Holidays known={hours.value.holidays ?? []} onChange={(holidays) => set({ holidays })} />
      <div class="settings-form">
        {(['en', 'zh'] as const).map((language) => (
          <TextArea
            key={language}
            rows={2}
            label={say(`hours.message.${language}`)}
            value={hours.value.messages?.[language] ?? ''}
            onInput={(text) => set({ messages: { ...hours.value.messages, [language]: text || undefined } })}
          />
        ))}
      </div>
      {error.value && (
        <p class="field-error" role="alert">
          {error.value}
        </p>
      )}
      <div class="row">
        <Button kind="primary" type="submit">
          {say('save')}
        </Button>
        {isSet && <Button onPress={clear}>{say('hours.clear')}</Button>}
      </div>
    </Form>
  )
}

function usualWeek(): Hours['weekly'] {
  return { mon: [USUAL], tue: [USUAL], wed: [USUAL], thu: [USUAL], fri: [USUAL] }
}

function Day(props: { name: string; intervals: readonly Interval[]; onChange: (intervals: Interval[]) => void }) {
  const { name, intervals, onChange } = props
  const change = (index: number, part: Partial<Interval>) =>
    onChange(intervals.map((each, at) => (at === index ? { ...each, ...part } : each)))
  return (
    <div class="hours-day">
      <span>{name}</span>
      <span class="row">
        {intervals.length === 0 && <span class="second">{say('hours.closed')}</span>}
        {intervals.map((each, index) => (
          <span key={index} class="row">
            <input
              type="time"
              aria-label={`${name}: ${say('hours.from')}`}
              value={each.from}
              onInput={(event) => change(index, { from: event.currentTarget.value })}
            />
            –
            <input
              type="time"
              aria-label={`${name}: ${say('hours.to')}`}
              value={each.to}
              onInput={(event) => change(index, { to: event.currentTarget.value })}
            />
            <Button
              isSmall
              kind="ghost"
              label={`${say('remove')}: ${name} ${each.from}–${each.to}`}
              onPress={() => onChange(intervals.filter((_, at) => at !== index))}
            >
              ×
            </Button>
          </span>
        ))}
        <Button isSmall kind="ghost" label={`${say('add')}: ${name}`} onPress={() => onChange([...intervals, USUAL])}>
          + {say('add')}
        </Button>
      </span>
    </div>
  )
}

type Holiday = NonNullable<Hours['holidays']>[number]

function Holidays({ known, onChange }: { known: readonly Holiday[]; onChange: (holidays: Holiday[]) => void }) {
  const date = useSignal('')
  return (
    <section class="stack">
      <h3>{say('hours.holidays')}</h3>
      <ul class="row">
        {known.map((each) => (
          <li key={each.date} class="row">
            <span class="number">{each.date}</span>
            <Button
              isSmall
              kind="ghost"
              label={`${say('remove')}: ${each.date}`}
              onPress={() => onChange(known.filter((other) => other !== each))}
            >
              ×
            </Button>
          </li>
        ))}
      </ul>
      <div class="row">
        <TextField
          isBare
          type="date"
          label={say('hours.holiday')}
          value={date.value}
          onInput={(text) => (date.value = text)}
        />
        <Button
          isSmall
          disabled={date.value === ''}
          onPress={() => {
            onChange([...known.filter((each) => each.date !== date.value), { date: date.value }])
            date.value = ''
          }}
        >
          {say('add')}
        </Button>
      </div>
    </section>
  )
}
