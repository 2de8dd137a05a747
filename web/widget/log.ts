import { h } from './dom.ts'
import { type Around, toEntry } from './entry.ts'
import type { Message } from './ledger.ts'

const NEAR_END_PX = 80

interface LogParts {
  around: Around
  greeting: string
  /** Questions to begin with. */
  starters: readonly string[]
  onChoose: (text: string) => void
}

/** What was said. Only what changed is made anew, so that what somebody has opened or marked stays. */
export function createLog({ around, greeting, starters, onChoose }: LogParts) {
  const { say, conversation } = around
  const element = h('div', { class: 'log', role: 'log', 'aria-label': say('log'), tabindex: '0' })
  const entries = new Map<string, { element: HTMLElement; sign: string }>()
  const choices = h('div', { class: 'choices' })
  let shownChoices = ''
  if (greeting) element.append(toGreeting(greeting, say('assistant')))
  element.append(choices)
  const first = () => element.firstElementChild

  function show(messages: readonly Message[]): void {
    drop(new Set(messages.map(({ message_id: id }) => id)))
    let next = greeting ? (first()?.nextElementSibling ?? null) : first()
    for (const message of messages) {
      const known = entries.get(message.message_id)
      const entry = upToDate(message)
      if (known && known.element === next) next = next.nextElementSibling
      if (known && known.element !== entry) known.element.remove()
      if (entry.nextElementSibling !== next || !entry.isConnected) element.insertBefore(entry, next)
    }
  }

  function drop(wanted: ReadonlySet<string>): void {
    for (const [id, entry] of entries) {
      if (wanted.has(id)) continue
      entry.element.remove()
      entries.delete(id)
    }
  }

  function upToDate(message: Message): HTMLElement {
    const sign = JSON.stringify(message)
    const known = entries.get(message.message_id)
    if (known?.sign === sign) return known.element
    const made = toEntry(message, around)
    entries.set(message.message_id, { element: made, sign })
    return made
  }

  function showChoices(texts: readonly string[]): void {
    const sign = texts.join('\n')
    if (sign === shownChoices) return
    shownChoices = sign
    choices.replaceChildren(
      ...texts.map((text) => h('button', { type: 'button', class: 'choice', onclick: () => onChoose(text) }, text)),
    )
  }

  return {
    element,
    update(): void {
      const isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END_PX
      const { messages } = conversation
      show(messages)
      showChoices(messages.length === 0 ? starters : conversation.choices)
      if (isAtEnd) this.toEnd()
    },
    toEnd(): void {
      element.scrollTop = element.scrollHeight
    },
  }
}

function toGreeting(text: string, who: string): HTMLElement {
  return h('article', { class: 'entry assistant', 'aria-label': who }, h('div', { class: 'text' }, h('p', {}, text)))
}
