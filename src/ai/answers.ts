/** A field of what an endpoint answered, whatever that is. */
export function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[field] : undefined
}

/**
 * Answers to each of `count` inputs, in their order: protocols promise that an answer names the index of its
 * input, and no order. Null when not every input has exactly one answer that `read` understands; undefined is none.
 */
export function inOrderOfInputs<Read>(
  answers: unknown,
  count: number,
  read: (answer: unknown, position: number) => { index: unknown; value: Read | undefined },
): Read[] | null {
  if (!Array.isArray(answers) || answers.length !== count) return null
  const values = new Map<unknown, Read>()
  for (const [position, answer] of answers.entries()) {
    const { index, value } = read(answer, position)
    if (value !== undefined) values.set(index, value)
  }
  const ordered = Array.from({ length: count }, (_, index) => values.get(index))
  return ordered.every((value) => value !== undefined) ? ordered : null
}
