import { h } from './dom.ts'
import type { Around } from './entry.ts'
import type { Settings } from './settings.ts'
import type { Language } from './words.ts'

interface NoticesParts {
  around: Around
  settings: Settings
  language: Language
  /** Asks to be drawn again later, when somebody has stopped writing. */
  onLater: () => void
}

/** What is worth knowing above the conversation: no connection, the place in the queue, hours, who writes. */
export function createNotices({ around: { say, conversation }, settings, language, onLater }: NoticesParts) {
  const element = h('div', { role: 'status' })
  let shown: string | null = null
  const text = (what: string, isBad = false) => ({ what, isBad })

  function current(complaint: string) {
    const { state, isOffline, isUnknown, typingUntil } = conversation
    const isClosed = (state ? state.open_now : settings.open_now) === false
    return [
      complaint && text(complaint, true),
      isOffline && text(say('offline'), true),
      isUnknown && text(say('unknown'), true),
      state?.status === 'waiting' && text(state.place ? say('place', { n: state.place }) : say('waiting')),
      isClosed && state?.status !== 'person' && text(closed(state?.next_open ?? settings.next_open)),
      typingUntil > Date.now() && text(say('typing', { name: state?.agent_name ?? say('team') })),
    ].filter((each) => typeof each === 'object')
  }

  function closed(next: string | null): string {
    if (!next) return say('closed')
    const form = { weekday: 'short', hour: '2-digit', minute: '2-digit' } as const
    const time = new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-GB', form).format(new Date(next))
    return `${say('closed')} ${say('backAt', { time })}`
  }

  return {
    element,
    update(complaint: string): void {
      const rest = conversation.typingUntil - Date.now()
      if (rest > 0) setTimeout(onLater, rest + 50)
      const own = settings.notice[language]
      const texts = current(complaint)
      const all = texts.length > 0 || !own ? texts : [text(own)]
      const sign = JSON.stringify(all)
      if (sign === shown) return
      shown = sign
      element.replaceChildren(...all.map(({ what, isBad }) => h('p', { class: `notice ${isBad ? 'bad' : ''}` }, what)))
    },
  }
}
