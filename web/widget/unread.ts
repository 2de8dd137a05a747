import { h } from './dom.ts'

/** How many messages nobody has seen: beside the button, and in the title of the page's tab. */
export function createUnread(launcher: HTMLElement) {
  const badge = h('span', { class: 'badge', hidden: true })
  launcher.append(badge)
  let count = 0
  let prefix = ''
  return {
    get count(): number {
      return count
    },
    set count(value: number) {
      count = value
      badge.hidden = count === 0
      badge.textContent = String(count)
      // The page may have changed its title meanwhile: only what was put there is taken away.
      const own = document.title.startsWith(prefix) ? document.title.slice(prefix.length) : document.title
      prefix = count === 0 ? '' : `(${count}) `
      if (document.title !== prefix + own) document.title = prefix + own
    },
  }
}
