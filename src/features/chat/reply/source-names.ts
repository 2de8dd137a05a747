import type { Source } from '../../sessions/index.ts'

const SOLUTION = 'solution:'

/** An approved answer of a person, which is a document of its own. */
export function isSolution(source: string): boolean {
  return source.startsWith(SOLUTION)
}

/** How customers read where an answer comes from: a person's answer has no file, and is named by its question. */
export function nameOf({ source, title }: Pick<Source, 'source' | 'title'>): string {
  return isSolution(source) ? title : source
}

/** The solution that a source is; undefined for documents. */
export function solutionIdOf(source: string): string | undefined {
  return isSolution(source) ? source.slice(SOLUTION.length) : undefined
}
