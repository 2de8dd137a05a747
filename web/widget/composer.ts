import { h, icon } from './dom.ts'
import { type Around, CLIP } from './entry.ts'

const ARROW = 'M12 19V5M6 11l6-6 6 6'
const FILES = 'image/png,image/jpeg,image/gif,image/webp,application/pdf,text/plain'
/** As the service takes it. */
const LONGEST_MESSAGE = '4000'
/** Browsers that know no `isComposing` give this code to keys of an input method. */
const COMPOSING = 229

interface ComposerParts {
  around: Around
  maxFileMb: number
  allowsAttachments: boolean
  onComplaint: (text: string) => void
}

/** Where the customer writes, and sends files. */
export function createComposer({ around, maxFileMb, allowsAttachments, onComplaint }: ComposerParts) {
  const { say, conversation } = around
  const field = h('textarea', {
    rows: '1',
    'aria-label': say('placeholder'),
    placeholder: say('placeholder'),
    maxlength: LONGEST_MESSAGE,
    enterkeyhint: 'send',
    onkeydown: (event) => onKey(event as KeyboardEvent),
    oninput() {
      button.disabled = field.value.trim() === ''
      conversation.typing()
    },
  })
  const button = h('button', { class: 'send', 'aria-label': say('send'), disabled: true }, icon(ARROW))
  const file = h('input', {
    type: 'file',
    hidden: true,
    multiple: true,
    accept: FILES,
    'aria-label': say('attach'),
    onchange() {
      attach([...(file.files ?? [])])
      file.value = ''
    },
  })
  const clip = h(
    'button',
    { type: 'button', class: 'plain', 'aria-label': say('attach'), onclick: () => file.click() },
    icon(CLIP),
  )
  const element = h(
    'form',
    {
      class: 'form',
      onsubmit(event) {
        event.preventDefault()
        const text = field.value
        field.value = ''
        send(text)
        field.focus()
      },
    },
    allowsAttachments && clip,
    file,
    field,
    button,
  )

  /** Enter ends a word of Chinese or Japanese while it is put together, and sends nothing then. */
  function onKey(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === COMPOSING) return
    event.preventDefault()
    element.requestSubmit()
  }

  function send(text: string): void {
    const content = text.trim()
    button.disabled = field.value.trim() === ''
    if (content !== '') void conversation.send(content)
  }

  function attach(files: readonly File[]): void {
    for (const each of files) {
      if (each.size > maxFileMb * 1_048_576) onComplaint(say('tooLarge', { n: maxFileMb }))
      else void conversation.sendFile(each)
    }
  }

  return {
    element,
    /** A choice: what is being written stays. A keyboard that nobody asked for would cover the answer. */
    choose(text: string): void {
      send(text)
      if (!isTouched()) field.focus()
    },
    focus: () => field.focus(),
  }
}

/** By fingers, on glass. */
export function isTouched(): boolean {
  return matchMedia('(pointer:coarse)').matches
}
