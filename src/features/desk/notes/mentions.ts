/** As `http` takes the names of people; a dot at the end may be the sentence's. */
const MENTION = /(?<![\p{L}\p{N}._-])@([a-z0-9][a-z0-9._-]{1,63})/giu

/** Names that a text mentions (`@li.na`), each once in their order, of those who are there. */
export function mentionsOf(text: string, names: ReadonlySet<string>): string[] {
  const found = [...text.matchAll(MENTION)].flatMap(([, name = '']) => nameIn(name.toLowerCase(), names))
  return [...new Set(found)]
}

function nameIn(written: string, names: ReadonlySet<string>): string[] {
  const candidates = [written, written.replace(/[._-]{1,64}$/, '')]
  return candidates.filter((name) => names.has(name)).slice(0, 1)
}
