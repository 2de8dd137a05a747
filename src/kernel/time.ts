const ISO_8601 = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/

/** A date or a date and time in ISO 8601; without an offset it is UTC. Null when it is none. */
export function parseTimestamp(text: string): Date | null {
  const trimmed = text.trim()
  if (!ISO_8601.test(trimmed)) return null
  const hasOffset = /(?:Z|[+-]\d{2}:?\d{2})$/.test(trimmed.slice(10))
  const date = new Date(trimmed.length === 10 || hasOffset ? trimmed : `${trimmed.replace(' ', 'T')}Z`)
  if (Number.isNaN(date.getTime())) return null
  // Date accepts 30 February and means 2 March.
  return Number(trimmed.slice(8, 10)) <= daysInMonth(Number(trimmed.slice(0, 4)), Number(trimmed.slice(5, 7)))
    ? date
    : null
}

function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}
