import { readableOn } from './colour.ts'
import { h, icon } from './dom.ts'
import type { Around } from './entry.ts'
import log from './log.css?inline'
import type { Settings } from './settings.ts'
import style from './style.css?inline'

const CHAT = 'M4 5h16v11H9l-5 4z'
const CROSS = 'M6 6l12 12M18 6L6 18'
const FIXED = 'all:initial!important;position:fixed!important;z-index:2147483000!important'
const INLINE = 'all:initial!important;display:block!important;height:100%!important'

interface FrameParts {
  around: Around
  settings: Settings
  place: HTMLElement | null
  /** From above to below. */
  parts: readonly HTMLElement[]
  /** @param isOpen left out: the other of what it is */
  onToggle: (isOpen?: boolean) => void
}

/** The button and the panel, in a tree of their own that the page's styles do not reach. */
export function createFrame({ around: { say, language }, settings, place, parts, onToggle }: FrameParts) {
  const title = settings.title[language] || say('title')
  const launcher = h('button', { class: 'launcher', onclick: () => onToggle() }, icon(CHAT), icon(CROSS))
  const cross = h('button', { class: 'plain', 'aria-label': say('close'), onclick: () => onToggle(false) }, icon(CROSS))
  const panel = h(
    'section',
    {
      class: 'panel',
      role: 'dialog',
      'aria-label': title,
      tabindex: '-1',
      onkeydown: (event) => onKey(event as KeyboardEvent),
    },
    h('div', { class: 'head' }, h('h2', {}, title), !place && cross),
    ...parts,
  )
  const root = h('div', { lang: language === 'zh' ? 'zh-CN' : 'en' }, panel, !place && launcher)
  const set = (name: string, value: string) => root.style.setProperty(name, value)
  set('--accent', settings.colour)
  set('--on', readableOn(settings.colour))
  mount(root, place)
  visualViewport?.addEventListener('resize', fill)
  visualViewport?.addEventListener('scroll', fill)

  function onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape' && !event.isComposing) onToggle(false)
  }

  /** Phones: all of the screen that the keyboard leaves. */
  function fill(): void {
    const { height = innerHeight, offsetTop = 0, scale = 1 } = visualViewport ?? {}
    // Whoever looks closer wants to see more of less.
    if (scale > 1) return
    set('--height', `${height}px`)
    set('--top', `${offsetTop}px`)
  }

  return {
    panel,
    launcher,
    /** @param unread how many messages nobody has seen */
    show(isOpen: boolean, unread: number): void {
      fill()
      panel.hidden = !isOpen
      root.className = `root ${settings.position} ${isOpen ? 'open' : ''}`
      launcher.setAttribute('aria-expanded', String(isOpen))
      launcher.setAttribute('aria-label', say(isOpen ? 'close' : 'open') + (unread > 0 ? ` (${unread})` : ''))
    },
  }
}

function mount(root: HTMLElement, place: HTMLElement | null): void {
  const host = document.createElement('frontdesk-widget')
  // Pages may style whatever stands on them; what is said here is stronger.
  host.style.cssText = place ? INLINE : FIXED
  const shadow = host.attachShadow({ mode: 'open' })
  // A sheet that is made here is no inline style, which strict pages forbid.
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style + log)
  shadow.adoptedStyleSheets = [sheet]
  shadow.append(root)
  if (place) host.setAttribute('data-inline', '')
  ;(place ?? document.body).append(host)
}
