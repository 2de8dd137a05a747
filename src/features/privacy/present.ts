import { ERASED_KINDS, type Erasure } from './types.ts'

export function presentErasure(erasure: Erasure) {
  const erased = Object.fromEntries(ERASED_KINDS.map((kind) => [kind, erasure.counts[kind] ?? 0]))
  return {
    erasure_id: erasure.erasureId,
    subject: erasure.subject,
    state: erasure.state,
    records: erasure.erasesRecords,
    requested_by: erasure.caller,
    erased,
    started_at: erasure.startedAt.toISOString(),
    finished_at: erasure.finishedAt?.toISOString() ?? null,
  }
}
