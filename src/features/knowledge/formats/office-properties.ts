import { XMLParser } from 'fast-xml-parser'
import type { Archive } from './archive.ts'

const PARSER = new XMLParser({
  ignoreAttributes: true,
  removeNSPrefix: true,
  processEntities: true,
  parseTagValue: false,
})
const KEPT = ['creator', 'subject', 'keywords', 'created', 'modified'] as const
const MAX_PART_BYTES = 64 * 1024

/** Title and the like from docProps/core.xml (Dublin Core terms); a broken part counts as absent. */
export function coreProperties(archive: Archive): { title: string | null; metadata: Record<string, string> } {
  const part = archive.parts.get('docProps/core.xml')
  if (!part || part.length > MAX_PART_BYTES) return { title: null, metadata: {} }
  const values = propertiesOf(part.toString('utf8'))
  const text = (name: string) => (typeof values[name] === 'string' ? values[name].trim().slice(0, 500) : '')
  const metadata = Object.fromEntries(KEPT.map((name) => [name, text(name)]).filter(([, value]) => value !== ''))
  return { title: text('title') || null, metadata }
}

function propertiesOf(xml: string): Record<string, unknown> {
  try {
    const parsed: unknown = PARSER.parse(xml)
    const root = (parsed as { coreProperties?: unknown }).coreProperties
    return typeof root === 'object' && root !== null ? (root as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
