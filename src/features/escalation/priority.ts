/** The escalation priorities, the least pressing first. */
export const PRIORITIES = ['low', 'medium', 'high', 'urgent'] as const
export type Priority = (typeof PRIORITIES)[number]

/** 0 for `low` to 3 for `urgent`. */
export function priorityRank(priority: Priority): number {
  return PRIORITIES.indexOf(priority)
}

/** The most pressing of the given ones; `low` for none. */
export function highestPriority(priorities: readonly Priority[]): Priority {
  return PRIORITIES.findLast((priority) => priorities.includes(priority)) ?? 'low'
}

/** What the order of the waiting queue depends on. `pendingSince` is ISO 8601 in UTC or milliseconds since 1970. */
export type WaitingSession = { sessionId: string; priority: Priority; pendingSince: string | number }

/**
 * Order of the waiting queue, for `sort`: higher priority first, among equal ones the longest waiting, and by id when even that
 * is equal, so that every reader sees one order.
 */
export function compareWaiting(a: WaitingSession, b: WaitingSession): number {
  const byPriority = priorityRank(b.priority) - priorityRank(a.priority)
  const byWaiting = new Date(a.pendingSince).getTime() - new Date(b.pendingSince).getTime()
  return byPriority || byWaiting || (a.sessionId < b.sessionId ? -1 : Number(a.sessionId > b.sessionId))
}
