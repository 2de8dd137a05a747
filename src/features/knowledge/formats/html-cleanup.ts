import type { CheerioAPI } from 'cheerio'
import type { DomNode } from './html-text.ts'
import { isQuestion } from './questions.ts'

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
  $(NEVER_SHOWN).remove()
  $(BOILERPLATE).remove()
  $(HIDDEN).each((_, element) => {
    if (!isCollapsedAnswer($, element)) $(element).remove()
  })
}

/** Answers of an FAQ are often collapsed until their question is clicked: they are content, unlike other hidden text. */
function isCollapsedAnswer($: CheerioAPI, element: Parameters<CheerioAPI>[0]): boolean {
  const before = $(element as never).prev()
  return before.length > 0 && isQuestion(before.text().slice(0, 500).trim())
}

/** The main element when the page marks one with enough text in it, else the body. */
export function readable($: CheerioAPI): DomNode {
  for (const selector of ['main', '[role="main"]', 'article']) {
    const found = $(selector)
    if (found.length === 1 && found.text().trim().length >= MIN_MAIN_CHARS) return found.get(0) as unknown as DomNode
  }
  return ($('body').get(0) ?? $.root().get(0)) as unknown as DomNode
}
