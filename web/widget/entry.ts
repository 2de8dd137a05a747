import type { Conversation } from './conversation.ts'
import { h, icon } from './dom.ts'
import type { Message } from './ledger.ts'
import { toLink, toNodes } from './markdown.ts'
import type { Language, wordsIn } from './words.ts'

/** Turned over it means the other. */
const THUMB = 'M7 11v9H4v-9zl4-8c2 0 3 2 2 6h6q2 0 2 2l-2 7q0 2-2 2H7'
export const CLIP = 'M20 11l-8 8a5 5 0 0 1-7-7l8-8a3 3 0 0 1 5 5l-8 8'

export interface Around {
  say: ReturnType<typeof wordsIn>
  language: Language
  conversation: Conversation
  showsSources: boolean
  /** Where signed links to files lead. */
  baseUrl: string
  onFailure: (error: unknown) => void
}

export interface Entry {
  element: HTMLElement
  /** Changes what changed and leaves the rest, with the focus and what is open in it. */
  update(message: Message): void
}

/** One message as it is shown. */
export function createEntry(first: Message, around: Around): Entry {
  const { say } = around
  const { role } = first
  if (role === 'system') return { element: h('p', { class: 'event' }, first.content), update() {} }
  const who = role === 'user' ? say('you') : role === 'agent' ? (first.agent_name ?? say('team')) : say('assistant')
  const text = h('div', { class: 'text' })
  const under = h('div', { class: 'under', 'aria-live': 'off' })
  const element = h(
    'article',
    { 'aria-label': who },
    role === 'agent' && h('span', { class: 'who', 'aria-hidden': 'true' }, who),
    text,
    under,
  )
  const fill = filler()
  return {
    element,
    update(message) {
      const { pending = '', content, attachment, sources, rating, message_id: id } = message
      element.className = `entry ${role} ${pending}`
      // A reply is read out when it is whole, and then once.
      if (pending === 'writing') element.setAttribute('aria-live', 'off')
      else element.removeAttribute('aria-live')
      fill(text, [pending === 'writing', content, attachment?.url], () => contentOf(message, around))
      fill(under, [pending, sources, id], () => below(message, around))
      for (const thumb of under.querySelectorAll<HTMLElement>('.thumb')) {
        thumb.setAttribute('aria-pressed', String(thumb.dataset.rating === rating))
      }
    },
  }
}

/** Fills an element anew where what it shows is another. */
function filler() {
  const shown = new Map<Element, string>()
  return (element: Element, what: unknown, toChildren: () => (Node | string)[]): void => {
    const sign = JSON.stringify(what)
    if (shown.get(element) === sign) return
    shown.set(element, sign)
    element.replaceChildren(...toChildren())
  }
}

function contentOf(message: Message, { baseUrl }: Around): (Node | string)[] {
  const { pending, content, attachment, file, role } = message
  if (pending === 'writing' && content === '') return ['…']
  if (attachment) {
    const { file_name: name, url } = attachment
    return [h('p', { class: 'file' }, icon(CLIP), toLink(name, name, new URL(url, baseUrl).href))]
  }
  if (file) return [h('p', { class: 'file' }, icon(CLIP), file.name)]
  return role === 'user' ? [h('p', {}, content)] : toNodes(content)
}

function below(message: Message, around: Around): (Node | string)[] {
  const { say, conversation, showsSources } = around
  const { pending, role, sources, key = '' } = message
  if (pending === 'sending') return [say('sending')]
  if (pending === 'failed' || pending === 'unanswered') {
    const again = h('button', { class: 'small', onclick: () => void conversation.retry(key) }, say('retry'))
    return [h('span', { role: 'status' }, say(pending === 'failed' ? 'notSent' : 'notAnswered')), again]
  }
  if (role !== 'assistant' || pending) return []
  const judged = h('div', { class: 'thumbs' }, ...thumbs(message, around))
  return showsSources && sources.length > 0 ? [sourcesOf(message, around), judged] : [judged]
}

function sourcesOf({ sources }: Message, { say }: Around): HTMLElement {
  return h(
    'details',
    {},
    h('summary', {}, `${say('sources')} (${sources.length})`),
    ...sources.map(({ title, excerpt, url }) =>
      h(
        'div',
        { class: 'source' },
        h('strong', {}, title),
        excerpt && h('p', {}, excerpt),
        url && toLink('', say('openSource'), url),
      ),
    ),
  )
}

function thumbs({ message_id: id }: Message, { say, conversation, onFailure }: Around): HTMLElement[] {
  return (['up', 'down'] as const).map((value) =>
    h(
      'button',
      {
        class: 'thumb',
        'data-rating': value,
        'aria-label': say(value === 'up' ? 'good' : 'bad'),
        onclick: () => void conversation.rateReply(id, value).catch(onFailure),
      },
      icon(THUMB),
    ),
  )
}
