import { FrontdeskError } from '../../clients/typescript/src/error.ts'
import { createBelow } from './below.ts'
import { createComposer } from './composer.ts'
import type { Conversation } from './conversation.ts'
import { h, icon } from './dom.ts'
import type { Around } from './entry.ts'
import { createLog } from './log.ts'
import { createNotices } from './notices.ts'
import { isUnknown } from './session.ts'
import type { Settings } from './settings.ts'
import { readableOn, STYLE } from './style.ts'
import { createUnread } from './unread.ts'
import { chooseLanguage, type Language, wordsIn } from './words.ts'

const CHAT = 'M4 5h16v11H9l-5 4z'
const CROSS = 'M6 6l12 12M18 6L6 18'
const FIXED = 'all:initial!important;position:fixed!important;z-index:2147483000!important'
const INLINE = 'all:initial!important;display:block!important;height:100%!important'
const COMPLAINT_MS = 6_000
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
  const around: Around = { say, conversation, showsSources: settings.shows_sources, baseUrl }
  const title = settings.title[language] || say('title')
  let isOpen = place !== null
  let complaint = ''

  const fail = (error: unknown) => complain(wordsFor(error))
  const composer = createComposer({
    around,
    maxFileMb: settings.max_file_mb,
    allowsAttachments: settings.allows_attachments,
    onComplaint: complain,
    onFailure: fail,
  })
  const log = createLog({
    around,
    greeting: settings.greeting[language],
    starters: settings.starters[language],
    onChoose: composer.send,
  })
  const notices = createNotices({ around, settings, language, onLater: update })
  const below = createBelow({ around, settings, language, onSay: complain, onFailure: fail })
  const launcher = h(
    'button',
    { type: 'button', class: 'launcher', 'aria-label': say('open'), 'aria-expanded': 'false', onclick: () => toggle() },
    icon(CHAT),
  )
  const unread = createUnread(launcher, (n) => say('unread', { n }))
  const cross = h(
    'button',
    { type: 'button', class: 'plain', 'aria-label': say('close'), onclick: () => toggle(false) },
    icon(CROSS),
  )
  const panel = h(
    'section',
    {
      class: 'panel',
      role: 'dialog',
      'aria-label': title,
      hidden: !isOpen,
      onkeydown: (event) => onKey(event as KeyboardEvent),
    },
    h('div', { class: 'head' }, h('h2', {}, title), !place && cross),
    notices.element,
    log.element,
    below.ask,
    composer.element,
    below.foot,
  )
  const root = h(
    'div',
    { class: `root ${settings.position}`, lang: language === 'zh' ? 'zh-CN' : 'en' },
    panel,
    !place && launcher,
  )
  root.style.setProperty('--colour', settings.colour)
  root.style.setProperty('--on-colour', readableOn(settings.colour))
  mount(root, place)

  function onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape' && !event.isComposing && !place) toggle(false)
  }

  function wordsFor(error: unknown): string {
    if (isUnknown(error)) return ''
    if (error instanceof FrontdeskError) return say(error.status === 429 ? 'limited' : 'failed')
    return say(error instanceof TypeError ? 'offline' : 'failed')
  }

  function complain(text: string): void {
    complaint = text
    update()
    setTimeout(() => {
      if (complaint !== text) return
      complaint = ''
      update()
    }, COMPLAINT_MS)
  }

  function enter(): void {
    void conversation.open().catch(fail)
  }

  function toggle(open = !isOpen, takesFocus = true): void {
    if (place || open === isOpen) return
    isOpen = open
    panel.hidden = !open
    root.classList.toggle('open', open)
    launcher.setAttribute('aria-expanded', String(open))
    launcher.setAttribute('aria-label', say(open ? 'close' : 'open'))
    if (open) {
      unread.clear()
      enter()
      update()
      log.toEnd()
    }
    if (takesFocus) (open ? composer : launcher).focus()
    onToggle(open)
  }

  function update(isNews = false): void {
    if (!isOpen || document.hidden) isNews && unread.add()
    else conversation.see()
    log.update()
    notices.update(complaint)
    below.update()
  }

  /** Goes on where the page before was left: open, or listening for a person who was called. */
  function resume(before: { isOpen: boolean; isLive: boolean }): void {
    if (before.isOpen && innerWidth > PHONE_PX) toggle(true, false)
    else if (before.isLive) void conversation.open().catch(() => {})
  }

  document.addEventListener('visibilitychange', () => {
    if (document.hidden || !isOpen) return
    unread.clear()
    conversation.see()
  })
  if (place) enter()
  update()
  return { toggle, update, fail, resume }
}

function mount(root: HTMLElement, place: HTMLElement | null): void {
  const host = document.createElement('frontdesk-widget')
  // Pages may style whatever stands on them; what is said here is stronger.
  host.style.cssText = place ? INLINE : FIXED
  const shadow = host.attachShadow({ mode: 'open' })
  // A sheet that is made here is no inline style, which strict pages forbid.
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLE)
  shadow.adoptedStyleSheets = [sheet]
  shadow.append(root)
  if (place) host.setAttribute('data-inline', '')
  ;(place ?? document.body).append(host)
}
