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
  const element = h('div', { class: 'log', role: 'log', 'aria-label': say('log'), tabindex: '0', onscroll: look })
  const entries = new Map<string, { element: HTMLElement; sign: string }>()
  const choices = h('div', { class: 'choices' })
  let shownChoices = ''
  /** The end is followed until somebody scrolls away: what stands around it grows and shrinks. */
  let isFollowing = true
  let count = 0
  new ResizeObserver(settle).observe(element)
  if (greeting) element.append(toGreeting(greeting, say('assistant')))
  element.append(choices)
  const first = () => element.firstElementChild

  function show(messages: readonly Message[]): void {
    drop(new Set(messages.map(nameOf)))
    let next = greeting ? (first()?.nextElementSibling ?? null) : first()
    for (const message of messages) {
      const known = entries.get(nameOf(message))
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
    const known = entries.get(nameOf(message))
    if (known?.sign === sign) return known.element
    const made = toEntry(message, around)
    entries.set(nameOf(message), { element: made, sign })
    return made
  }

  function look(): void {
    isFollowing = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END_PX
  }

  function settle(): void {
    if (isFollowing) element.scrollTop = element.scrollHeight
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
      const { messages } = conversation
      // Whoever says something wants to see it.
      if (messages.slice(count).some(({ role }) => role === 'user')) isFollowing = true
      count = messages.length
      show(messages)
      showChoices(messages.length === 0 ? starters : conversation.choices)
      settle()
    },
    toEnd(): void {
      isFollowing = true
      settle()
    },
  }
}

/** The same before and after the service has it. */
function nameOf({ key, message_id: id }: Message): string {
  return key ?? id
}

function toGreeting(text: string, who: string): HTMLElement {
  return h('article', { class: 'entry assistant', 'aria-label': who }, h('div', { class: 'text' }, h('p', {}, text)))
}
