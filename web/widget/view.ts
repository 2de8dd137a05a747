import { FrontdeskError } from '../../clients/typescript/src/error.ts'
import { createBelow } from './below.ts'
import { createComposer, isTouched } from './composer.ts'
import type { Conversation } from './conversation.ts'
import type { Around } from './entry.ts'
import { createFrame } from './frame.ts'
import { createLog } from './log.ts'
import { createNotices, type Remark } from './notices.ts'
import { isUnknown } from './session.ts'
import type { Settings } from './settings.ts'
import { createUnread } from './unread.ts'
import { chooseLanguage, type Language, wordsIn } from './words.ts'

const REMARK_MS = 6_000
/** As in the style. */
const PHONE_PX = 480

interface Parts {
  settings: Settings
  conversation: Conversation
  baseUrl: string
  /** Where it stands in the page, open for ever; null: a button in the corner. */
  place: HTMLElement | null
  onToggle: (isOpen: boolean) => void
  /** Left out: that of the page or the browser, among those offered. */
  language?: Language
}

export type View = ReturnType<typeof createView>

/** The button, the panel and all that is in it, in a tree of its own that the page's styles do not reach. */
export function createView({ settings, conversation, baseUrl, place, onToggle, ...given }: Parts) {
  const language = given.language ?? chooseLanguage(settings.languages)
  const say = wordsIn(language)
  const around: Around = { say, language, conversation, showsSources: settings.shows_sources, baseUrl, onFailure: fail }
  let isOpen = place !== null
  let remark: Remark | null = null

  const composer = createComposer({
    around,
    maxFileMb: settings.max_file_mb,
    allowsAttachments: settings.allows_attachments,
    onComplaint: (text) => remarkOn(text, true),
  })
  const log = createLog({
    around,
    greeting: settings.greeting[language],
    starters: settings.starters[language],
    onChoose: composer.choose,
  })
  const notices = createNotices({ around, settings, onLater: update })
  const below = createBelow({ around, settings, onSay: (text) => remarkOn(text, false) })
  const parts = [notices.element, log.element, notices.typing, below.ask, composer.element, below.foot]
  const frame = createFrame({ around, settings, place, parts, onToggle: toggle })
  const unread = createUnread(frame.launcher)

  function fail(error: unknown): void {
    // Who it is that writes is asked for as long as it is not known.
    if (isUnknown(error)) return
    const isLimited = error instanceof FrontdeskError && error.status === 429
    remarkOn(say(isLimited ? 'limited' : error instanceof TypeError ? 'offline' : 'failed'), true)
  }

  function remarkOn(text: string, isBad: boolean): void {
    const own = { text, isBad }
    remark = own
    update()
    setTimeout(() => {
      if (remark !== own) return
      remark = null
      update()
    }, REMARK_MS)
  }

  function enter(): void {
    void conversation.open().catch(fail)
  }

  function toggle(open = !isOpen, takesFocus = true): void {
    if (place || open === isOpen) return
    isOpen = open
    update()
    if (open) {
      enter()
      log.toEnd()
    }
    const first = isTouched() ? frame.panel : composer
    if (takesFocus) (open ? first : frame.launcher).focus()
    onToggle(open)
  }

  function update(isNews = false): void {
    if (isOpen && !document.hidden) {
      unread.count = 0
      conversation.see()
    } else if (isNews) unread.count++
    frame.show(isOpen, unread.count)
    log.update()
    notices.update(remark)
    below.update()
  }

  /** Goes on where the page before was left: open, or listening for a person who was called. */
  function resume(before: { isOpen: boolean; isLive: boolean }): void {
    if (before.isOpen && innerWidth > PHONE_PX) toggle(true, false)
    else if (before.isLive) void conversation.open().catch(() => {})
  }

  document.addEventListener('visibilitychange', () => update())
  if (place) enter()
  update()
  return { toggle, update, fail, resume }
}
