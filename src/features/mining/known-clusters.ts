import type { KnownCluster, MinedCluster } from './types.ts'

/** A cluster that an earlier run knew. */
export interface Recognition {
  known: KnownCluster
  /** Another, larger cluster continues it; this one broke off. */
  isFragment: boolean
}

/** From this share of tickets in common, or this cosine of profiles, on a cluster is the same problem as before. */
const SAME = 0.5
/** Profiles are compared with those that share one of their heaviest words. */
const HEAVIEST = 8

/**
 * Recognises problems from run to run: by the tickets that they share, and, where the runs looked at other tickets, by their
 * words. Each known cluster is continued by at most one.
 */
export function recognise(clusters: readonly Comparable[], known: readonly KnownCluster[]): (Recognition | null)[] {
  const resembles = createComparison(known)
  const resemblances = clusters.flatMap((cluster, at) => resembles(cluster).map((found) => ({ ...found, cluster: at })))
  resemblances.sort((a, b) => b.degree - a.degree || a.cluster - b.cluster || a.known - b.known)
  const recognised: (Recognition | null)[] = clusters.map(() => null)
  const continued = new Set<number>()
  for (const { cluster, known: at } of resemblances) {
    if (recognised[cluster] || continued.has(at)) continue
    recognised[cluster] = { known: known[at] as KnownCluster, isFragment: false }
    continued.add(at)
  }
  for (const { cluster, known: at } of resemblances) {
    recognised[cluster] ??= { known: known[at] as KnownCluster, isFragment: true }
  }
  return recognised
}

type Comparable = Pick<MinedCluster, 'ticketIds' | 'profile'>

/** Finds those that resemble a cluster, through what they share, so that not each is compared with each. */
function createComparison(known: readonly KnownCluster[]) {
  const byTicket = new Map<string, number[]>()
  const byWord = new Map<string, number[]>()
  known.forEach(({ ticketIds, profile }, at) => {
    for (const id of ticketIds) byTicket.set(id, [...(byTicket.get(id) ?? []), at])
    for (const word of heaviestWords(profile)) byWord.set(word, [...(byWord.get(word) ?? []), at])
  })
  return ({ ticketIds, profile }: Comparable): { known: number; degree: number }[] => {
    const shared = new Map<number, number>()
    for (const id of ticketIds) for (const at of byTicket.get(id) ?? []) shared.set(at, (shared.get(at) ?? 0) + 1)
    const near = new Set(heaviestWords(profile).flatMap((word) => byWord.get(word) ?? []))
    return [...new Set([...shared.keys(), ...near])].flatMap((at) => {
      const other = known[at] as KnownCluster
      const overlap = (shared.get(at) ?? 0) / Math.max(1, Math.min(ticketIds.length, other.ticketIds.length))
      const degree = Math.max(overlap, near.has(at) ? cosine(profile, other.profile) : 0)
      return degree >= SAME ? [{ known: at, degree }] : []
    })
  }
}

function heaviestWords(profile: Readonly<Record<string, number>>): string[] {
  // Profiles are stored heaviest first, but the database does not keep the order.
  return Object.entries(profile)
    .sort((a, b) => b[1] - a[1])
    .slice(0, HEAVIEST)
    .map(([word]) => word)
}

function cosine(a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>): number {
  let sum = 0
  for (const [word, weight] of Object.entries(a)) sum += weight * (b[word] ?? 0)
  return sum / (Math.hypot(...Object.values(a)) * Math.hypot(...Object.values(b)) || 1)
}
