import { inlineOf, linkOf, type Make, markdownOf } from '../shared/markdown.ts'
import { h } from './dom.ts'

const make: Make<Node> = h

/** The little Markdown that replies have, as nodes. */
export function toNodes(text: string): Node[] {
  return markdownOf(text, make)
}

/** The same of a line that stands in another element. */
export function toInline(text: string): (Node | string)[] {
  return inlineOf(text, make)
}

/** A link only where it leads to a page: no other scheme is followed. */
export function toLink(whole: string, label: string, target: string): Node | string {
  return linkOf(whole, label, target, make)
}
