import { textOf } from '../html/text.ts'
import type { Archive } from './archive.ts'
import { elementsBelow, readXml } from './xml.ts'

const PART = 'docProps/core.xml'
const KEPT = ['creator', 'subject', 'keywords', 'created', 'modified'] as const
const MAX_PART_BYTES = 64 * 1024

/** Title and the like from the core properties (Dublin Core terms); a broken part counts as absent. */
export function coreProperties(archive: Archive): { title: string | null; metadata: Record<string, string> } {
  const isRead = (archive.parts.get(PART)?.length ?? 0) <= MAX_PART_BYTES
  const [root] = isRead ? elementsBelow(readXml(archive, PART), ['coreProperties']) : []
  const text = (name: string): string => {
    const [element] = root ? elementsBelow(root, [name]) : []
    return element ? textOf(element).trim().slice(0, 500) : ''
  }
  const metadata = Object.fromEntries(KEPT.map((name) => [name, text(name)]).filter(([, value]) => value !== ''))
  return { title: text('title') || null, metadata }
}
