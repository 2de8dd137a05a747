import { h } from './dom.ts'
import type { Around } from './entry.ts'
import type { Settings } from './settings.ts'

interface NoticesParts {
  around: Around
  settings: Settings
  /** Asks to be drawn again later, when somebody has stopped writing. */
  onLater: () => void
}

/** What was done, or what went wrong with it. */
export interface Remark {
  text: string
  isBad: boolean
}

/** What is worth knowing above the conversation (no connection, the place in the queue, hours), and below it who writes. */
export function createNotices({ around: { say, conversation, language }, settings, onLater }: NoticesParts) {
  const element = h('div', { role: 'status' })
  const typing = h('div', { role: 'status' })
  let shown = ''

  function current(remark: Remark | null): Remark[] {
    const { isOffline, isUnknown } = conversation.line
    const { state } = conversation.now
    const isClosed = (state ? state.open_now : settings.open_now) === false && state?.status !== 'person'
    const place = say('waiting') + (state?.place ? say('place', { n: state.place }) : '')
    const all: [unknown, string, boolean][] = [
      [isOffline, say('offline'), true],
      [isUnknown, say('unknown'), true],
      [state?.status === 'waiting', place, false],
      [isClosed, closed((state ?? settings).next_open), false],
    ]
    const notices = all.filter(([isSo]) => isSo).map(([, text, isBad]) => ({ text, isBad }))
    return remark && notices.every(({ text }) => text !== remark.text) ? [remark, ...notices] : notices
  }

  function closed(next: string | null): string {
    if (!next) return say('closed')
    const form = { weekday: 'short', hour: '2-digit', minute: '2-digit' } as const
    const time = new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-GB', form).format(new Date(next))
    return `${say('closed')} ${say('backAt', { time })}`
  }

  function showTyping(): void {
    const { messages, now } = conversation
    const rest = now.typingUntil - Date.now()
    if (rest > 0) setTimeout(onLater, rest + 50)
    // The reply itself shows that it is being written, to whoever sees it.
    const isAnswering = messages.some(({ pending }) => pending === 'writing')
    typing.className = isAnswering ? 'unseen' : 'typing'
    const text = isAnswering
      ? say('writing')
      : rest > 0
        ? say('typing', { name: now.state?.agent_name ?? say('team') })
        : ''
    if (typing.textContent !== text) typing.textContent = text
  }

  return {
    element,
    typing,
    update(remark: Remark | null): void {
      showTyping()
      const all = current(remark)
      const sign = JSON.stringify(all)
      if (sign === shown) return
      shown = sign
      element.replaceChildren(...all.map(({ text, isBad }) => h('p', { class: `notice ${isBad ? 'bad' : ''}` }, text)))
    },
  }
}
