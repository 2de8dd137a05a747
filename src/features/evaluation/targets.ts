import { plainForm } from '../../language/fold.ts'
import type { EvaluationCase } from './types.ts'

/** A passage as it is compared with what a case expects. */
export interface Passage {
  docId: string
  source: string
  title: string
  headingPath: readonly string[]
  question: string | null
  content: string
}

/** One thing that a case expects to be found. */
export type Target = (passage: Passage) => boolean

/**
 * Passages that a case expects: each text, in one of the expected documents where those are named too; without texts
 * each document, of which any passage will do.
 */
export function targetsOf(expected: EvaluationCase): Target[] {
  const { expectedSources, expectedDocIds, expectedContent } = expected
  const documents: Target[] = [
    ...expectedSources.map(
      (source): Target =>
        (passage) =>
          isSource(passage.source, source),
    ),
    ...expectedDocIds.map(
      (docId): Target =>
        (passage) =>
          passage.docId === docId,
    ),
  ]
  if (expectedContent.length === 0) return documents
  return expectedContent.map((text) => {
    const wanted = foldText(text)
    return (passage) =>
      (documents.length === 0 || documents.some((isIn) => isIn(passage))) &&
      foldText(wholeText(passage)).includes(wanted)
  })
}

/** Does a reply, resting on `sources` (the best first), say what the case expects? */
export function isRightAnswer(
  expected: EvaluationCase,
  reply: string,
  sources: readonly { docId: string; source: string }[],
): boolean {
  const { expectedSources, expectedDocIds, expectedContent } = expected
  if (expectedContent.length > 0) {
    const said = foldText(reply)
    return expectedContent.every((text) => said.includes(foldText(text)))
  }
  const [best] = sources
  if (!best) return false
  return expectedDocIds.includes(best.docId) || expectedSources.some((source) => isSource(best.source, source))
}

/** `shipping.md` names `/srv/help/shipping.md` too. */
export function isSource(source: string, expected: string): boolean {
  return namesOf(source).includes(normalisePath(expected))
}

/** Everything that names a source: its whole path and each shorter end of it. */
export function namesOf(source: string): string[] {
  const parts = normalisePath(source).split('/')
  return parts.map((_, i) => parts.slice(i).join('/'))
}

export function normalisePath(path: string): string {
  return path.normalize('NFC').replaceAll('\\', '/')
}

function wholeText({ title, headingPath, question, content }: Passage): string {
  return [title, ...headingPath, question ?? '', content].join('\n')
}

const SAYS_SOMETHING = /(?<=\d)[-.:](?=\d)|[\p{L}\p{N}\p{M}\p{Sc}%]/gu

/**
 * Letters, digits and what makes another amount of them: a table row that became lines, other quotation marks or blanks
 * between scripts do not make another text, `2–4` and `24` do.
 */
export function foldText(text: string): string {
  const plain = plainForm(text)
    .replace(/(?<=\d) ?[-~〜] ?(?=\d)/g, '-')
    .replace(/(?<=\d),(?=\d{3})/g, '')
  // Marks that come to stand side by side have an order of their own.
  return (plain.match(SAYS_SOMETHING) ?? []).join('').normalize('NFC')
}
