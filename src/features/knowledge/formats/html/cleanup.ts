import type { CheerioAPI } from 'cheerio/slim'
import { isQuestion } from '../questions.ts'
import type { DomNode } from './text.ts'

const NEVER_SHOWN =
  'script, style, noscript, template, svg, canvas, iframe, object, embed, audio, video, map, head, link, meta, select, input, textarea, button, dialog'
const BOILERPLATE =
  'nav, aside, [role="navigation"], [role="banner"], [role="contentinfo"], [role="search"], [role="complementary"], body > header, body > footer, .breadcrumb, .breadcrumbs, .cookie-banner, .sr-only, .visually-hidden'
const HIDDEN =
  '[hidden], [aria-hidden="true"], [style*="display:none"], [style*="display: none"], [style*="visibility:hidden"]'
/** Below this the marked main element is taken for a shell that a script would have filled. */
const MIN_MAIN_CHARS = 100

/** Removes in place what a reader of the page does not read. */
export function tidy($: CheerioAPI): void {
  $('body button, body summary').each((_, element) => {
    // An accordion's button is the question of the answer below it.
    const text = $(element).text().trim()
    if (isQuestion(text)) element.tagName = element.tagName === 'button' ? 'h6' : element.tagName
  })
  const removal = createRemoval()
  for (const selector of [NEVER_SHOWN, BOILERPLATE]) {
    for (const element of $(selector).toArray()) removal.remove(element)
    removal.finish()
  }
  const isCollapsedAnswer = createAnswerCheck($)
  for (const element of $(HIDDEN).toArray()) if (!isCollapsedAnswer(element)) removal.remove(element)
  removal.finish()
}

type Element = Parameters<CheerioAPI['contains']>[0]

/**
 * Takes nodes out of the tree: out of the row of their neighbours at once, out of their parents all together. The library
 * looks each of them up among all children of its parent.
 */
function createRemoval() {
  const removed = new Set<Element>()
  return {
    remove(node: Element): void {
      removed.add(node)
      if (node.prev) node.prev.next = node.next
      if (node.next) node.next.prev = node.prev
    },
    finish(): void {
      for (const parent of new Set([...removed].map((node) => node.parent))) {
        if (parent) parent.children = parent.children.filter((child) => !removed.has(child))
      }
      removed.clear()
    },
  }
}

/** Answers of an FAQ are often collapsed until their question is clicked: they are content, unlike other hidden text. */
function createAnswerCheck($: CheerioAPI): (element: Element) => boolean {
  // The element before one hidden element may stand before the next one too, when that was taken away.
  const asking = new Map<Element, boolean>()
  return (element) => {
    const before = $(element).prev().get(0)
    if (!before) return false
    const known = asking.get(before) ?? isQuestion($(before).text().slice(0, 500).trim())
    asking.set(before, known)
    return known
  }
}

/** The main element when the page marks one with enough text in it, else the body. */
export function readable($: CheerioAPI): DomNode {
  for (const selector of ['main', '[role="main"]', 'article']) {
    const found = $(selector)
    if (found.length === 1 && found.text().trim().length >= MIN_MAIN_CHARS) return found.get(0) as unknown as DomNode
  }
  return ($('body').get(0) ?? $.root().get(0)) as unknown as DomNode
}
