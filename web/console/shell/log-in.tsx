import { useEffect, useRef, useState } from 'preact/hooks'
import { addConsolePerson, logIn, setConsolePassword } from '../../../clients/typescript/src/index.ts'
import { language } from '../../shared/words.ts'
import { desk } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { explain } from '../ui/failure.ts'
import { TextField } from '../ui/fields.tsx'
import { say } from './log-in-words.ts'
import { endSession, session, sessionChanged } from './session.ts'
import './log-in.css'

type Way = 'person' | 'key' | 'code'

/** For everybody who has not logged in: by name, or at first by the key or the code of the log. */
export function LogIn() {
  const mustChange = session.value?.authenticated && session.value.must_change_password
  return (
    <main class="log-in">
      <header class="row">
        <h1 class="grow">Frontdesk</h1>
        <Button kind="ghost" title={say('languageName')} onPress={switchLanguage}>
          <span lang={language.value === 'zh' ? 'en' : 'zh'}>{say('language')}</span>
        </Button>
      </header>
      {mustChange ? <NewPassword /> : session.value?.setup_needed ? <FirstPerson /> : <Enter />}
    </main>
  )
}

function switchLanguage(): void {
  language.value = language.value === 'zh' ? 'en' : 'zh'
}

/** A form whose failure is said below its fields. */
function useForm(submit: () => Promise<unknown>) {
  const [error, setError] = useState('')
  const [isBusy, setBusy] = useState(false)
  const onSubmit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setError('')
    try {
      await submit()
    } catch (failure) {
      setError(explain(failure))
    }
    setBusy(false)
  }
  return { onSubmit, error, isBusy }
}

/** In front of the screen whose log-in has ended: what was written there stays. */
export function LogInAgain() {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => ref.current?.showModal(), [])
  return (
    <dialog
      ref={ref}
      class="dialog log-in-again"
      aria-label={say('title')}
      onCancel={(event) => event.preventDefault()}
    >
      <div class="dialog-content">
        <p role="status">{say('endedText')}</p>
        <Enter known={session.value?.person?.name ?? ''} />
      </div>
    </dialog>
  )
}

function Enter({ known = '' }: { known?: string }) {
  const [way, setWay] = useState<Way>('person')
  const [name, setName] = useState(known)
  const [secret, setSecret] = useState('')
  const form = useForm(async () => {
    await logIn(desk, { body: way === 'person' ? { name, password: secret } : { [way]: secret } })
    await sessionChanged()
  })
  return (
    <form class="stack" onSubmit={form.onSubmit}>
      <h2>{say('title')}</h2>
      {way === 'person' && (
        <TextField
          label={say('name')}
          value={name}
          onInput={setName}
          autoComplete="username"
          autoFocus={known === ''}
          required
        />
      )}
      <TextField
        label={say(way === 'person' ? 'password' : way)}
        type="password"
        value={secret}
        onInput={setSecret}
        autoComplete={way === 'person' ? 'current-password' : 'off'}
        autoFocus={known !== ''}
        required
      />
      <FormEnd form={form} action={say('enter')} />
      <Button kind="ghost" onPress={() => setWay(way === 'person' ? 'key' : 'person')}>
        {say(way === 'person' ? 'byKey' : 'byName')}
      </Button>
    </form>
  )
}

function FormEnd({ form, action }: { form: { error: string; isBusy: boolean }; action: string }) {
  return (
    <>
      {form.error && (
        <p class="field-error" role="alert">
          {form.error}
        </p>
      )}
      <Button kind="primary" type="submit" disabled={form.isBusy}>
        {action}
      </Button>
    </>
  )
}

/** Nobody is there yet: who has the key, or reads the log, makes the first admin, and is logged in as them. */
function FirstPerson() {
  const [way, setWay] = useState<Exclude<Way, 'person'>>('key')
  const [secret, setSecret] = useState('')
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const form = useForm(async () => {
    if (!session.value?.authenticated) await logIn(desk, { body: { [way]: secret } })
    await addConsolePerson(desk, { body: { name, password, role: 'admin' } })
    await logIn(desk, { body: { name, password } })
    await sessionChanged()
  })
  return (
    <form class="stack" onSubmit={form.onSubmit}>
      <h2>{say('firstTitle')}</h2>
      <p class="second">{say('firstText')}</p>
      <TextField
        label={say(way)}
        hint={say(way === 'key' ? 'keyHint' : 'codeHint')}
        type="password"
        value={secret}
        onInput={setSecret}
        autoComplete="off"
        autoFocus
        required
      />
      <TextField
        label={say('name')}
        hint={say('nameHint')}
        value={name}
        onInput={setName}
        autoComplete="username"
        required
      />
      <TextField
        label={say('newPassword')}
        hint={say('passwordHint')}
        type="password"
        value={password}
        onInput={setPassword}
        autoComplete="new-password"
        required
      />
      <FormEnd form={form} action={say('make')} />
      <Button kind="ghost" onPress={() => setWay(way === 'key' ? 'code' : 'key')}>
        {say(way === 'key' ? 'withCode' : 'withKey')}
      </Button>
    </form>
  )
}

/** Whoever was given a password chooses their own before anything else. */
function NewPassword() {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const form = useForm(async () => {
    await setConsolePassword(desk, { body: { current_password: current, new_password: next } })
    await sessionChanged()
  })
  return (
    <form class="stack" onSubmit={form.onSubmit}>
      <h2>{say('changeTitle')}</h2>
      <p class="second">{say('changeText')}</p>
      <TextField
        label={say('password')}
        type="password"
        value={current}
        onInput={setCurrent}
        autoComplete="current-password"
        autoFocus
        required
      />
      <TextField
        label={say('newPassword')}
        hint={say('passwordHint')}
        type="password"
        value={next}
        onInput={setNext}
        autoComplete="new-password"
        required
      />
      <FormEnd form={form} action={say('change')} />
      <Button kind="ghost" onPress={endSession}>
        {say('leave')}
      </Button>
    </form>
  )
}
