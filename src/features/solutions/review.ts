import { excerpt, saysTheSame } from '../../language/key-sentences.ts'
import { findPersonal } from '../../privacy/index.ts'
import { type IngestRequest, type Publication, type SearchHit, SOLUTION_PREFIX, yesOrNo } from '../knowledge/index.ts'
import { listConversations } from '../sessions/index.ts'
import {
  type CustomerRecords,
  type CustomerValue,
  referencesIn,
  valuesOfMessages,
  valuesOfRecords,
} from './customer-values.ts'
import { type MaskedText, maskValues } from './mask-values.ts'
import type { SolutionsOptions } from './service.ts'
import type { MaskedValue, SimilarPassage, Solution } from './solution-types.ts'

/** A reviewer's view of a solution, as things stand at the moment. */
export interface Review {
  /** The text that every customer would read: values of one of them are masked. */
  published: Pick<Solution, 'question' | 'solution'>
  masked: MaskedValue[]
  /** Passages of the knowledge base on the question, as it is now. */
  similar: SimilarPassage[]
  /** Points to look at twice. */
  warnings: string[]
}

const MAX_TITLE = 120
const SIMILAR = 3
const SIMILAR_SCORE = 0.3
const SIMILAR_CHARACTERS = 300
/** Passages among which an answer that says the opposite is looked for. */
const COMPARED = 10
const QUOTED_CHARACTERS = 80
const MINED = 'session:'
const MAX_MINED = 50

/** Without what takes embeddings: for answers that are only looked at. */
export async function reviewSolution(options: SolutionsOptions, solution: Solution): Promise<Review> {
  const { values, everything } = await customerValues(options, solution)
  const question = maskValues(solution.question, values, everything)
  const answer = maskValues(solution.solution, values, everything)
  const published = { question: question.text, solution: answer.text }
  const hits = await hitsFor(options, published.question, solutionSource(solution))
  return {
    published,
    masked: [...listMasked('question', question), ...listMasked('solution', answer)],
    similar: hits.filter(isSimilar).slice(0, SIMILAR).map(presentHit),
    warnings: [...personalIn(published), ...oppositesOf(published, hits)],
  }
}

/** With what the checks of the knowledge base say, and ready to be published. */
export async function preparePublication(
  options: SolutionsOptions,
  solution: Solution,
): Promise<{ review: Review; publication: Publication }> {
  const review = await reviewSolution(options, solution)
  const { request, fileName } = solutionDocument({ ...solution, ...review.published })
  const publication = await options.knowledge.prepare(request, fileName)
  const found = await inspect(options, publication)
  return { review: { ...review, warnings: [...review.warnings, ...found] }, publication }
}

export async function similarTo(options: SolutionsOptions, question: string): Promise<SimilarPassage[]> {
  const hits = await hitsFor(options, question, null)
  return hits.filter(isSimilar).slice(0, SIMILAR).map(presentHit)
}

/** Values of the customer of the conversation, and of the owners of the orders that the solution names. */
async function customerValues(
  { db, recordsOf, log }: SolutionsOptions,
  { sessionId, question, solution, details }: Solution,
): Promise<{ values: CustomerValue[]; everything: boolean }> {
  const customers = await listConversations(db.executor, { sessionId, messageIds: minedConversations(details) })
  const userIds = [...new Set(customers.map(({ userId }) => userId))].filter((userId) => userId !== '')
  const own: CustomerValue[] = [
    ...userIds.map((text) => ({ text, kind: 'account' })),
    ...valuesOfMessages(customers.flatMap(({ said }) => said)),
  ]
  const named = [...own.filter(({ kind }) => kind === 'order'), ...referencesIn(`${question}\n${solution}`)]
  const orderIds = [...new Set(named.map(({ text }) => text))]
  try {
    const records: CustomerRecords = await recordsOf({ userIds, orderIds })
    return { values: [...own, ...valuesOfRecords(records)], everything: false }
  } catch (error) {
    log.warn({ err: error }, 'The records of a customer could not be read: whatever looks personal is masked')
    return { values: own, everything: true }
  }
}

/** Conversations that people resolved are tickets to mining: named by the message of the resolution. */
function minedConversations({ ticket_ids: ticketIds }: Solution['details']): string[] {
  const named = Array.isArray(ticketIds) ? ticketIds.filter((id) => typeof id === 'string') : []
  return named
    .filter((id) => id.startsWith(MINED))
    .slice(0, MAX_MINED)
    .map((id) => id.slice(MINED.length))
}

/** Nothing when the knowledge base cannot be asked. */
async function hitsFor({ knowledge, log }: SolutionsOptions, query: string, without: string | null) {
  try {
    const hits = await knowledge.search({ query, topK: COMPARED })
    return hits.filter(({ source }) => source !== without)
  } catch (error) {
    log.warn({ err: error }, 'Looking for similar passages failed')
    return []
  }
}

function isSimilar({ score }: SearchHit): boolean {
  return score >= SIMILAR_SCORE
}

function presentHit({ docId, source, score, question, content }: SearchHit): SimilarPassage {
  return { docId, source, score, question, content: excerpt(content, SIMILAR_CHARACTERS) }
}

function listMasked(field: MaskedValue['field'], { kinds }: MaskedText): MaskedValue[] {
  return kinds.map((kind) => ({ field, kind }))
}

/** A hotline looks personal too, so that it is for the reviewer to say. */
function personalIn(texts: Review['published']): string[] {
  return Object.entries(texts)
    .filter(([, text]) => findPersonal(text).length > 0)
    .map(([field]) => `${field}: holds personal data, which every customer would see`)
}

/** Answers to the same question of which one begins with yes and the other with no. */
function oppositesOf({ question, solution }: Review['published'], hits: readonly SearchHit[]): string[] {
  const own = yesOrNo(solution)
  if (own === undefined) return []
  return hits.flatMap((hit) => {
    const other = yesOrNo(hit.content)
    const isOpposite =
      other !== undefined && other !== own && hit.question !== null && saysTheSame(question, hit.question)
    if (!isOpposite) return []
    const quote = (text: string): string => `"${excerpt(text, QUOTED_CHARACTERS)}"`
    return [`solution: ${quote(solution)} says the opposite of ${hit.source}: ${quote(hit.content)}`]
  })
}

/** Sensitive words, contradictions, repetitions. A solution that cannot be checked is published all the same, as specified. */
async function inspect({ knowledge, log }: SolutionsOptions, publication: Publication): Promise<string[]> {
  try {
    const findings = await knowledge.inspect(publication)
    return findings.map((finding) => `solution: ${finding.replace(/^(?:error|warning): /, '')}`)
  } catch (error) {
    log.warn({ err: error }, 'A solution could not be checked')
    return ['solution: sensitive words and contradictions could not be looked for']
  }
}

/** The source by which an approved solution is found, cited, rolled back and deleted like any document. */
export function solutionSource({ solutionId }: Pick<Solution, 'solutionId'>): string {
  return `${SOLUTION_PREFIX}${solutionId}`
}

/** A solution as a document of one question and its answer; the file name only says what it is written in. */
function solutionDocument(solution: Pick<Solution, 'question' | 'solution' | 'solutionId'>) {
  const { question, solution: answer, solutionId } = solution
  const content = { title: excerpt(question, MAX_TITLE), question, answer }
  const request: IngestRequest = {
    bytes: new TextEncoder().encode(JSON.stringify(content)),
    source: solutionSource(solution),
    register: true,
    metadata: { knowledgeType: 'faq', productCategory: 'unknown', applicableVersion: 'latest', publishedAt: null },
  }
  return { request, fileName: `${solutionId}.json` }
}
