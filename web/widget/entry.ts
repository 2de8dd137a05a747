import { withoutSources } from '../shared/markdown.ts'
import type { Conversation } from './conversation.ts'
import { h, icon } from './dom.ts'
import type { Message } from './ledger.ts'
import { toLink, toNodes } from './markdown.ts'
import type { wordsIn } from './words.ts'

const UP = 'M7 11v9H4v-9zM7 11l4-8a2.5 2.5 0 0 1 2.4 3l-.6 3H19a2 2 0 0 1 2 2.4l-1.4 7A2 2 0 0 1 17.600 20H7'
const DOWN = 'M17 13V4h3v9zM17 13l-4 8a2.500 2.500 0 0 1-2.400-3l.6-3H5a2 2 0 0 1-2-2.400l1.400-7A2 2 0 0 1 6.400 4H17'

export interface Around {
  say: ReturnType<typeof wordsIn>
  conversation: Conversation
  showsSources: boolean
  /** Where signed links to files lead. */
  baseUrl: string
}

/** One message as it is shown. */
export function toEntry(message: Message, around: Around): HTMLElement {
  const { say } = around
  if (message.role === 'system') return h('p', { class: 'event' }, message.content)
  const isUser = message.role === 'user'
  const who = isUser ? say('you') : message.role === 'agent' ? (message.agent_name ?? say('team')) : say('assistant')
  return h(
    'article',
    { class: `entry ${message.role} ${message.pending ?? ''}`, 'aria-label': who },
    message.role === 'agent' && h('span', { class: 'who', 'aria-hidden': 'true' }, who),
    h('div', { class: 'text' }, ...contentOf(message, around)),
    under(message, around),
  )
}

function contentOf(message: Message, { say, baseUrl }: Around): (Node | string)[] {
  if (message.pending === 'writing' && message.content === '') return [say('writing')]
  const { attachment } = message
  if (attachment) {
    const address = new URL(attachment.url, baseUrl).href
    return [toLink(attachment.file_name, attachment.file_name, address)]
  }
  return message.role === 'user' ? [h('p', {}, ...lines(message.content))] : toNodes(withoutSource(message))
}

function lines(text: string): (Node | string)[] {
  return text.split('\n').flatMap((line, index) => (index > 0 ? [h('br'), line] : [line]))
}

/** Sources stand below as sources: lines that name them to channels without buttons are left out. */
function withoutSource({ content, sources, role }: Message): string {
  if (role !== 'assistant' || sources.length === 0) return content
  return withoutSources(content)
}

function under(message: Message, around: Around): HTMLElement | null {
  const { say, conversation, showsSources } = around
  if (message.pending === 'failed' || message.pending === 'unanswered') {
    return h(
      'div',
      { class: 'under', role: 'status' },
      say(message.pending === 'failed' ? 'notSent' : 'notAnswered'),
      h(
        'button',
        { type: 'button', class: 'small', onclick: () => void conversation.retry(message.key ?? '') },
        say('retry'),
      ),
    )
  }
  if (message.role !== 'assistant' || message.pending) return null
  const sources = showsSources && message.sources.length > 0 && sourcesOf(message, around)
  return h('div', { class: 'under' }, sources, ...thumbs(message, around))
}

function sourcesOf({ sources }: Message, { say }: Around): HTMLElement {
  return h(
    'details',
    {},
    h('summary', {}, `${say('sources')} (${sources.length})`),
    ...sources.map(({ title, excerpt, url }) =>
      h('p', {}, h('strong', {}, title), excerpt ? ` ${excerpt} ` : ' ', url ? toLink('', say('openSource'), url) : ''),
    ),
  )
}

function thumbs({ message_id: id, rating }: Message, { say, conversation }: Around): HTMLElement[] {
  return (['up', 'down'] as const).map((value) =>
    h(
      'button',
      {
        type: 'button',
        class: 'thumb',
        'aria-label': say(value === 'up' ? 'good' : 'bad'),
        'aria-pressed': String(rating === value),
        onclick: () => void conversation.rateReply(id, value).catch(() => {}),
      },
      icon(value === 'up' ? UP : DOWN),
    ),
  )
}
