import { h } from './dom.ts'
import { type Around, createEntry, type Entry } from './entry.ts'
import type { Message } from './ledger.ts'

const NEAR_PX = 80
const ABOVE_PX = 12

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
  const entries = new Map<string, Entry>()
  const choices = h('div', { class: 'choices' })
  const hello = toGreeting(greeting, say)
  let shownChoices = ''
  /** The newest is followed until somebody scrolls away: what stands around it grows and shrinks. */
  let isFollowing = true
  let count = 0
  new ResizeObserver(settle).observe(element)
  element.append(hello, choices)

  function show(messages: readonly Message[]): void {
    const wanted = new Set(messages.map(nameOf))
    for (const [name, entry] of entries) {
      if (wanted.has(name)) continue
      entry.element.remove()
      entries.delete(name)
    }
    let last: Element = hello
    for (const message of messages) {
      const entry = entryOf(message)
      entry.update(message)
      if (last.nextElementSibling !== entry.element) last.after(entry.element)
      last = entry.element
    }
  }

  function entryOf(message: Message): Entry {
    const entry = entries.get(nameOf(message)) ?? createEntry(message, around)
    entries.set(nameOf(message), entry)
    return entry
  }

  /** The end; of an answer that is longer than there is room, the question and how it begins. */
  function target(): number {
    const end = element.scrollHeight - element.clientHeight
    const [asked, answer] = conversation.messages.slice(-2)
    const question = answer?.role === 'assistant' && asked && entries.get(nameOf(asked))?.element
    return question ? Math.min(end, question.offsetTop - ABOVE_PX) : end
  }

  function look(): void {
    isFollowing = Math.abs(element.scrollTop - target()) < NEAR_PX
  }

  function settle(): void {
    if (isFollowing) element.scrollTop = target()
  }

  function showChoices(texts: readonly string[]): void {
    const sign = texts.join('\n')
    if (sign === shownChoices) return
    shownChoices = sign
    choices.replaceChildren(
      ...texts.map((text) => h('button', { class: 'choice', onclick: () => onChoose(text) }, text)),
    )
  }

  return {
    element,
    update(): void {
      const { now } = conversation
      // The call for a person is told by the reply, and by the service in the same words.
      const messages = conversation.messages.filter(
        ({ role, content }, index, all) => role !== 'system' || content !== all[index - 1]?.content,
      )
      // What was said before is not read out.
      element.setAttribute('aria-live', now.isRead ? 'polite' : 'off')
      // Whoever says something wants to see it.
      if (messages.slice(count).some(({ role }) => role === 'user')) isFollowing = true
      count = messages.length
      show(messages)
      showChoices(messages.length === 0 ? starters : now.choices)
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

/** The shop's own words are said by the assistant; those that stand in for them by nobody. */
function toGreeting(own: string, say: Around['say']): HTMLElement {
  const text = h('div', { class: 'text' }, h('p', {}, own || say('greeting')))
  const named = own ? { 'aria-label': say('assistant') } : {}
  return h(own ? 'article' : 'div', { class: 'entry assistant', ...named }, text)
}
