import type { ListKnowledgeDocuments, ListKnowledgeDocumentVersions } from '../../../../clients/typescript/src/index.ts'
import type { Tone } from '../../ui/tag.tsx'
import { say } from './words.ts'

export type ListedDocument = ListKnowledgeDocuments['result']['items'][number]
export type Version = ListKnowledgeDocumentVersions['result']['items'][number]
export type KnowledgeType = (typeof KNOWLEDGE_TYPES)[number]

export const KNOWLEDGE_TYPES = ['doc', 'faq', 'policy', 'tutorial', 'ticket'] as const

/** The service's word for a document that nobody gave a category. */
const NO_CATEGORY = 'unknown'

export function typeName(type: string): string {
  const known = KNOWLEDGE_TYPES.find((each) => each === type)
  return known ? say(`type.${known}`) : type
}

export function categoryName(category: string): string {
  return category === NO_CATEGORY ? '' : category
}

/** Languages that the console has no word for keep their code. */
export function languageName(code: string | null): string {
  if (code === 'zh' || code === 'en') return say(`language.${code}`)
  return code ?? ''
}

export const VERSION_TONES: Readonly<Record<Version['status'], Tone>> = {
  active: 'good',
  canary: 'accent',
  superseded: 'plain',
  rolled_back: 'warn',
}
