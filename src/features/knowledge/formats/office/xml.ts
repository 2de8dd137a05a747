import { load } from 'cheerio/slim'
import type { DomNode } from '../html/text.ts'
import type { Archive } from './archive.ts'

/** A part of an Office file as a tree; what cannot be read of it, and a part that is not there, counts as absent. */
export function readXml({ parts }: Archive, part: string): DomNode {
  const xml = parts.get(part)?.toString('utf8') ?? ''
  return load(xml, { xml: true }).root().get(0) as unknown as DomNode
}

/** The name of an element without its prefix, which every program chooses for itself. */
export function localName({ name = '' }: DomNode): string {
  return name.slice(name.indexOf(':') + 1)
}

/** Elements of the given names in document order; does not look into a found one unless `nested`. */
export function elementsBelow(root: DomNode, names: readonly string[], { nested = false } = {}): DomNode[] {
  const found: DomNode[] = []
  const stack = [...(root.children ?? [])].reverse()
  for (let node = stack.pop(); node; node = stack.pop()) {
    const name = localName(node)
    // The fallback of alternate content repeats the choice for older programs.
    if (name === 'Fallback') continue
    const isWanted = names.includes(name)
    if (isWanted) found.push(node)
    if (nested || !isWanted) for (const child of (node.children ?? []).toReversed()) stack.push(child)
  }
  return found
}

/** Levels of nested elements, as far as `limit`. */
export function depthOf(root: DomNode, limit: number): number {
  let depth = 0
  for (let level = [root]; level.length > 0 && depth <= limit; depth++)
    level = level.flatMap((node) => node.children ?? [])
  return depth
}
