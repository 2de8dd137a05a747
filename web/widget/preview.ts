import type { Conversation } from './conversation.ts'
import { draft, settled } from './ledger.ts'
import type { Settings } from './settings.ts'
import { createView } from './view.ts'
import type { Language } from './words.ts'

type Look = Omit<Settings, 'max_file_mb' | 'open_now' | 'next_open' | 'somebody_there'>

const TALK = {
  en: ['When will my parcel arrive?', 'Most parcels arrive within **two to four days**.', 'Shipping'],
  zh: ['包裹什么时候到？', '大多数包裹在 **2–4 天** 内送达。', '配送说明'],
} as const

/** The widget as it will look, with a conversation that nobody had. Nothing of it is sent. */
export function showPreview(place: HTMLElement, look: Look, language: Language): void {
  place.replaceChildren()
  const [question, answer, title] = TALK[language]
  const nothing = async () => {}
  const conversation: Conversation = {
    messages: [
      settled(draft('user', question, undefined, 'q'), {}),
      settled(draft('assistant', answer, undefined, 'a'), { sources: [{ title, excerpt: null, url: null }] }),
    ],
    now: { state: null, choices: look.starters[language], isRead: true, typingUntil: 0 },
    line: { isOffline: false, isUnknown: false },
    canRate: false,
    open: nothing,
    send: nothing,
    retry: nothing,
    callPerson: nothing,
    stopWaiting: nothing,
    leave: nothing,
    sendFile: nothing,
    rateReply: nothing,
    rate: nothing,
    see() {},
    typing() {},
    identify: nothing,
  }
  const settings = { ...look, max_file_mb: 10, open_now: null, next_open: null, somebody_there: true }
  createView({ settings, conversation, baseUrl: location.origin, place, onToggle() {}, language })
}
