import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { StatementSource } from '../../src/features/knowledge/quality/statements.ts'

/** Passages of two documents, for the test of conflicts. */
export interface Case {
  title: string
  heading?: string
  question?: string
  content: string
  category?: string
  version?: string
}

export const asSource = (
  docId: string,
  { title, heading, question, content, category, version }: Case,
): StatementSource => ({
  docId,
  title,
  headingPath: heading === undefined ? [] : [heading],
  question: question ?? null,
  content,
  productCategory: category ?? 'unknown',
  applicableVersion: version ?? 'latest',
})

interface Pairs {
  contradictions: [kind: string, a: Case, b: Case][]
  moreContradictions: [a: Case, b: Case][]
  agreements: [why: string, a: Case, b: Case][]
  moreAgreements: [a: Case, b: Case][]
}

/** Passages of two documents that contradict each other, and such as look as if they did. */
export const PAIRS: Pairs = parse(readFileSync(new URL('./passages-of-two.yaml', import.meta.url), 'utf8'))
