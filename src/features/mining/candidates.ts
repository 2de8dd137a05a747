import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { Database } from '../../platform/postgres/index.ts'
import type { Solution, Solutions } from '../solutions/index.ts'
import { type Recognition, recognise } from './known-clusters.ts'
import { findSolutions, findTicketIds, listClusters, noteCandidate, saveCluster } from './queries.ts'
import type { MinedCluster, ReportItem } from './types.ts'

export interface CandidatesOptions {
  db: Database
  solutions: Pick<Solutions, 'submitCandidate' | 'find'>
  /** Does the knowledge base answer this already? */
  isCovered(question: string, solution: string): Promise<boolean>
  log: Log
}

/** How ids of tickets begin that were made of conversations. */
const SESSION_TICKET = 'session:'
const MAX_ERRORS = 100
const DETAIL_TICKETS = 50

/**
 * Puts what was found into the review queue: each problem once from run to run, nothing that a person reviewed already, and
 * nothing that the knowledge base answers. A problem without a known solution is reported and not queued.
 *
 * @param onItem is told how many are done.
 */
export async function consolidate(
  options: CandidatesOptions,
  clusters: readonly MinedCluster[],
  { signal, onItem }: { signal: AbortSignal; onItem: (done: number) => void },
) {
  const { db, log } = options
  const recognised = recognise(clusters, await listClusters(db.executor))
  const solutions = await findSolutions(
    db.executor,
    clusters.flatMap(({ solutionTicketId }) => solutionTicketId ?? []),
  )
  /** `waiting`: candidates that wait for review. */
  const result = { items: [] as ReportItem[], waiting: 0, errors: [] as string[] }
  for (const [at, cluster] of clusters.entries()) {
    signal.throwIfAborted()
    if (await isGone(options, cluster)) continue
    const solution = (solutions.get(cluster.solutionTicketId ?? '') ?? '').trim()
    const found = { cluster, solution, recognition: recognised[at] ?? null }
    const proposed = await propose(options, found).catch((error: unknown) => {
      log.warn({ err: error }, 'A candidate of mining could not be proposed')
      const reason = error instanceof AppError ? error.message : 'internal error'
      if (result.errors.length < MAX_ERRORS) result.errors.push(`${cluster.question}: ${reason}`)
      return { clusterId: newId('cluster'), covered: false, candidate: null }
    })
    result.items.push(toItem(found, proposed))
    if (proposed.candidate?.status === 'pending' && !proposed.covered) result.waiting += 1
    onItem(at + 1)
  }
  const items: ReportItem[] = []
  for (const item of result.items) if (!(await isGone(options, item))) items.push(item)
  return { ...result, items }
}

/** Conversations may be erased while their tickets are being mined: nothing is said of them any more. */
async function isGone({ db }: CandidatesOptions, { ticketIds }: Pick<MinedCluster, 'ticketIds'>): Promise<boolean> {
  const ofSessions = ticketIds.filter((id) => id.startsWith(SESSION_TICKET))
  return ofSessions.length > 0 && (await findTicketIds(db.executor, ofSessions)).size < ofSessions.length
}

interface Found {
  cluster: MinedCluster
  solution: string
  recognition: Recognition | null
}

interface Proposed {
  clusterId: string
  covered: boolean
  candidate: Pick<Solution, 'solutionId' | 'status'> | null
}

async function propose(options: CandidatesOptions, found: Found): Promise<Proposed> {
  const { cluster, recognition } = found
  const earlier = recognition && (await continuationOf(options, recognition))
  const place = { clusterId: earlier?.known.clusterId ?? newId('cluster'), candidate: earlier?.candidate ?? null }
  const covered = await options.isCovered(cluster.question, found.solution)
  const isReviewed = place.candidate !== null && place.candidate.status !== 'pending'
  if (earlier && recognition.isFragment) return { ...place, covered }
  const edited = earlier && place.candidate && isEdited(place.candidate, earlier.known) ? place.candidate : null
  const isQueued = !covered && !isReviewed && (found.solution !== '' || edited !== null)
  const { question, profile, ticketIds } = cluster
  const proposed = isQueued || !earlier ? { question, solution: found.solution } : earlier.known
  const { clusterId } = place
  // Before it is queued, so that a run that dies in between finds its candidate again.
  const texts = { question: proposed.question, solution: proposed.solution }
  await saveCluster(options.db.executor, { ...texts, clusterId, profile, ticketIds })
  if (!isQueued) return { ...place, covered }
  return { clusterId, covered, candidate: await submit(options, found, clusterId, edited) }
}

/** The known cluster that this one continues: a fragment of a problem that still waits is new, one of a reviewed problem is not. */
async function continuationOf(options: CandidatesOptions, { known, isFragment }: Recognition) {
  const candidate = await existing(options, known.solutionId)
  if (!isFragment) return { known, candidate }
  return candidate !== null && candidate.status !== 'pending' ? { known, candidate } : null
}

/** @param edited what a reviewer made of it, which stays. */
async function submit(
  { db, solutions }: CandidatesOptions,
  { cluster, solution }: Found,
  clusterId: string,
  edited: Solution | null,
): Promise<Solution> {
  const { question, frequency, keywords, categories, confidence, ticketIds } = cluster
  const saved = await solutions.submitCandidate({
    candidateKey: clusterId,
    question: edited?.question ?? question,
    solution: edited?.solution ?? solution,
    intent: edited?.intent ?? '',
    details: { frequency, keywords, categories, confidence, ticket_ids: ticketIds.slice(0, DETAIL_TICKETS) },
  })
  await noteCandidate(db.executor, clusterId, saved.solutionId)
  return saved
}

async function existing({ solutions }: CandidatesOptions, solutionId: string | null): Promise<Solution | null> {
  if (solutionId === null) return null
  try {
    return await solutions.find(solutionId)
  } catch (error) {
    if (error instanceof AppError && error.kind === 'not_found') return null
    throw error
  }
}

/** A reviewer changed what was proposed: that stays. */
function isEdited(candidate: Solution, proposed: { question: string; solution: string }): boolean {
  return candidate.question !== proposed.question || candidate.solution !== proposed.solution
}

function toItem({ cluster, solution }: Found, { clusterId, covered, candidate }: Proposed): ReportItem {
  const { solutionTicketId: _, profile: __, ...told } = cluster
  return { clusterId, ...told, representativeSolution: solution, covered, candidateId: candidate?.solutionId ?? null }
}
