import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { useKeys } from '../../shell/keys.ts'
import { go, place, to } from '../../shell/router.ts'
import { may } from '../../shell/session.ts'
import { Button } from '../../ui/button.tsx'
import { Check, Choice, TextField } from '../../ui/fields.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { Column } from './column.tsx'
import { say } from './words.ts'
import './playground.css'

type Audience = 'customers' | 'staff'

/** A question, what it finds, and why; beside it the same with other settings. */
export function Screen() {
  const { q = '', audience: asked, compare = '' } = place.value.query
  const audience: Audience = asked === 'staff' ? 'staff' : 'customers'
  const show = (change: Record<string, string>) => go(to('playground', { q, audience: asked, compare, ...change }))
  return (
    <Page
      title={say('title')}
      actions={
        <Check
          label={say('compare')}
          checked={compare !== ''}
          onChange={(isOn) => show({ compare: isOn ? '1' : '' })}
        />
      }
      bar={<Question key={q} q={q} audience={audience} onAsk={show} />}
    >
      {q === '' ? (
        <Empty title={say('start')} text={say('startText')} />
      ) : (
        <div class={`playground ${compare ? 'has-two' : ''}`}>
          <Column q={q} audience={audience} title={say(compare ? 'settingsA' : 'settings')} />
          {compare && <Column q={q} audience={audience} title={say('settingsB')} />}
        </div>
      )}
    </Page>
  )
}

function Question(props: { q: string; audience: Audience; onAsk: (change: Record<string, string>) => void }) {
  const text = useSignal(props.q)
  const form = useRef<HTMLFormElement>(null)
  useKeys({ '/': { label: say('focus'), run: () => form.current?.querySelector('input')?.focus() } })
  return (
    <form
      ref={form}
      class="row grow"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.value.trim() !== '') props.onAsk({ q: text.value.trim() })
      }}
    >
      <div class="grow">
        <TextField
          isBare
          type="search"
          label={say('query')}
          placeholder={say('hint')}
          value={text.value}
          onInput={(value) => (text.value = value)}
          maxLength={2_000}
          autoFocus={props.q === ''}
        />
      </div>
      {may('agent') && (
        <Choice
          isBare
          label={say('audience')}
          value={props.audience}
          onChange={(audience) => props.onAsk({ q: text.value.trim(), audience })}
          options={[
            { value: 'customers', text: say('customers') },
            { value: 'staff', text: say('staff') },
          ]}
        />
      )}
      <Button kind="primary" type="submit">
        {say('ask')}
      </Button>
    </form>
  )
}
