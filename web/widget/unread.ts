import { h } from './dom.ts'

/** How many messages nobody has seen: beside the button, and in the title of the page's tab. */
export function createUnread(launcher: HTMLElement, toPrefix: (count: number) => string) {
  const badge = h('span', { class: 'badge', hidden: true })
  launcher.append(badge)
  let count = 0
  let prefix = ''

  function show(): void {
    badge.hidden = count === 0
    badge.textContent = String(count)
    // The page may have changed its title meanwhile: only what was put there is taken away.
    const own = document.title.startsWith(prefix) ? document.title.slice(prefix.length) : document.title
    prefix = count === 0 ? '' : toPrefix(count)
    if (document.title !== prefix + own) document.title = prefix + own
  }

  return {
    add(): void {
      count += 1
      show()
    },
    clear(): void {
      count = 0
      show()
    },
  }
}
