/** Rules of a site for those who read it by program (RFC 9309). */
export interface Robots {
  allows(path: string): boolean
  /** Seconds between two requests; 0: it does not say. */
  crawlDelay: number
  sitemaps: readonly string[]
}

interface Rule {
  isAllowed: boolean
  pattern: string
}

interface Group {
  agents: string[]
  rules: Rule[]
  crawlDelay: number
}

/** Longer files are read up to here, as the standard asks for at least. */
const MAX_CHARACTERS = 512_000
const MAX_RULES = 2_000

export const EVERYTHING: Robots = { allows: () => true, crawlDelay: 0, sitemaps: [] }

/** @param agent our name in lower case; the group that names it counts, else the one for all */
export function parseRobots(text: string, agent: string): Robots {
  const { groups, sitemaps } = groupsOf(text.slice(0, MAX_CHARACTERS))
  const own = groups.filter(({ agents }) => agents.includes(agent))
  const chosen = own.length > 0 ? own : groups.filter(({ agents }) => agents.includes('*'))
  const rules = chosen.flatMap((group) => group.rules).slice(0, MAX_RULES)
  return {
    allows: (path) => isAllowed(rules, path),
    crawlDelay: Math.max(0, ...chosen.map(({ crawlDelay }) => crawlDelay)),
    sitemaps,
  }
}

function groupsOf(text: string): { groups: Group[]; sitemaps: string[] } {
  const groups: Group[] = []
  const sitemaps: string[] = []
  let isNaming = false
  for (const line of text.split(/\r\n?|\n/)) {
    const [name, value] = fieldOf(line)
    if (name === 'sitemap') sitemaps.push(value)
    if (name === 'user-agent') {
      if (!isNaming) groups.push({ agents: [], rules: [], crawlDelay: 0 })
      groups.at(-1)?.agents.push(value.toLowerCase())
    }
    if (name !== '' && name !== 'sitemap') isNaming = name === 'user-agent'
    const group = groups.at(-1)
    if (group) note(group, name, value)
  }
  return { groups, sitemaps }
}

function note(group: Group, name: string, value: string): void {
  if (name === 'crawl-delay') group.crawlDelay = Number(value) || 0
  // An empty rule forbids nothing.
  if ((name === 'allow' || name === 'disallow') && value !== '')
    group.rules.push({ isAllowed: name === 'allow', pattern: value })
}

function fieldOf(line: string): [name: string, value: string] {
  const bare = line.split('#', 1)[0] ?? ''
  const colon = bare.indexOf(':')
  return colon < 0 ? ['', ''] : [bare.slice(0, colon).trim().toLowerCase(), bare.slice(colon + 1).trim()]
}

/** The longest rule that fits decides, and of two that are as long the one that allows. */
function isAllowed(rules: readonly Rule[], path: string): boolean {
  let best: Rule | null = null
  for (const rule of rules) {
    if (!fits(rule.pattern, path)) continue
    const isBetter = !best || rule.pattern.length > best.pattern.length
    if (isBetter || (rule.isAllowed && rule.pattern.length === best?.pattern.length)) best = rule
  }
  return best?.isAllowed ?? true
}

/** `*` stands for anything, `$` at the end for the end. Not a regular expression: some patterns would take for ever. */
function fits(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$')
  const parts = (isWhole ? pattern.slice(0, -1) : pattern).split('*')
  const [first = '', ...rest] = parts
  if (!path.startsWith(first)) return false
  let at = first.length
  for (const [i, part] of rest.entries()) {
    const isLast = isWhole && i === rest.length - 1
    const found = isLast ? Math.max(path.length - part.length, 0) : path.indexOf(part, at)
    if (found < at || !path.startsWith(part, found)) return false
    at = found + part.length
  }
  return !isWhole || at === path.length
}
