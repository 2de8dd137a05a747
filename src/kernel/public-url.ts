const MAX_LENGTH = 2_000

/** The address where people can read something: http or https, without a password, at most 2,000 characters; else null. */
export function publicUrl(text: string): string | null {
  const given = text.trim()
  if (given.length > MAX_LENGTH || !URL.canParse(given)) return null
  const { protocol, username, password, href } = new URL(given)
  const isWeb = protocol === 'http:' || protocol === 'https:'
  return isWeb && username === '' && password === '' ? href : null
}
