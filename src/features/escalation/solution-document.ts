import { type IngestRequest, SOLUTION_PREFIX } from '../knowledge/index.ts'
import { excerpt } from './sentences.ts'
import type { Solution } from './solution-types.ts'

const MAX_TITLE = 120

/** The source by which an approved solution is found, cited, rolled back and deleted like any document. */
export function solutionSource({ solutionId }: Pick<Solution, 'solutionId'>): string {
  return `${SOLUTION_PREFIX}${solutionId}`
}

/** A solution as a document of one question and its answer; the file name only says what it is written in. */
export function solutionDocument(solution: Pick<Solution, 'question' | 'solution' | 'solutionId'>): {
  request: IngestRequest
  fileName: string
} {
  const { question, solution: answer, solutionId } = solution
  const content = { title: excerpt(question, MAX_TITLE), question, answer }
  return {
    request: {
      bytes: new TextEncoder().encode(JSON.stringify(content)),
      source: solutionSource(solution),
      register: true,
      metadata: {
        knowledgeType: 'faq',
        productCategory: 'unknown',
        applicableVersion: 'latest',
        publishedAt: null,
      },
    },
    fileName: `${solutionId}.json`,
  }
}
