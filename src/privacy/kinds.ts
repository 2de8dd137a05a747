import type { Span } from '../language/spans.ts'

/** Kind of a personal value; decides how much of it stays readable. */
export type MaskKind = 'name' | 'phone' | 'email' | 'address' | 'identity' | 'card' | 'payment' | 'secret'

/** A personal value in a text. */
export interface Finding extends Span {
  readonly kind: MaskKind
}

/** A form that gives a value away: the first group of the pattern is the value. */
export interface Form {
  readonly kind: MaskKind
  readonly pattern: RegExp
  /** @param start where it stands in the text */
  accepts?(value: string, text: string, start: number): boolean
}

/** Values that stand in a text in one of some forms. */
export function findForms(text: string, forms: readonly Form[]): Finding[] {
  return forms.flatMap(({ kind, pattern, accepts = () => true }) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const value = match[1] ?? ''
      const start = match.index + match[0].lastIndexOf(value)
      return accepts(value, text, start) ? [{ start, end: start + value.length, kind }] : []
    }),
  )
}
