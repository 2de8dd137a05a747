import type { Candidate, Language, Team } from './types.ts'

/** A call that waits. */
export interface Waiting {
  channel: string
  language: Language
}

/**
 * Whom a call goes to: of the teams that are for it, or of everybody where none is, whoever has the fewest conversations, and of
 * these whoever was given nothing for longest. Null: nobody is free.
 */
export function chooseFor(
  { channel, language }: Waiting,
  { teams, candidates, maxOpen }: { teams: readonly Team[]; candidates: readonly Candidate[]; maxOpen: number },
): string | null {
  const responsible = teams.filter(
    (team) => isFor(team.channels, channel) && isFor(team.languages, language) && isNarrow(team),
  )
  const members = new Set(responsible.flatMap((team) => team.members))
  const [first] = candidates
    .filter(({ name, openSessions }) => openSessions < maxOpen && (responsible.length === 0 || members.has(name)))
    .toSorted((a, b) => a.openSessions - b.openSessions || timeOf(a) - timeOf(b) || (a.name < b.name ? -1 : 1))
  return first?.name ?? null
}

function isFor(list: readonly string[], value: string): boolean {
  return list.length === 0 || list.includes(value)
}

/** A team for everything has no calls of its own. */
function isNarrow({ channels, languages }: Team): boolean {
  return channels.length > 0 || languages.length > 0
}

function timeOf({ lastTakenAt }: Candidate): number {
  return lastTakenAt?.getTime() ?? 0
}
