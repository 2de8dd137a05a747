import { h, icon } from './dom.ts'
import type { Around } from './entry.ts'

const ARROW = 'M12 19V5M6 11l6-6 6 6'
const CLIP = 'M20 11l-8.5 8.5a5 5 0 0 1-7-7L13 4a3.300 3.300 0 0 1 4.700 4.700L9.500 17'
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
  onFailure: (error: unknown) => void
}

/** Where the customer writes, and sends files. */
export function createComposer({ around, maxFileMb, allowsAttachments, onComplaint, onFailure }: ComposerParts) {
  const { say, conversation } = around
  const field = h('textarea', {
    rows: '1',
    'aria-label': say('placeholder'),
    placeholder: say('placeholder'),
    maxlength: LONGEST_MESSAGE,
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
    accept: FILES,
    'aria-label': say('attach'),
    onchange: () => void attach(),
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
        send(field.value)
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
    if (content === '') return
    field.value = ''
    button.disabled = true
    void conversation.send(content)
    field.focus()
  }

  async function attach(): Promise<void> {
    const [chosen] = file.files ?? []
    file.value = ''
    if (!chosen) return
    if (chosen.size > maxFileMb * 1_048_576) onComplaint(say('tooLarge', { n: maxFileMb }))
    else await conversation.sendFile(chosen).catch(onFailure)
  }

  return { element, send, focus: () => field.focus() }
}
