import type { MiningStatus } from './service.ts'
import type { MiningReport, ReportItem } from './types.ts'

export function presentReport(report: MiningReport | null) {
  return {
    report_id: report?.reportId ?? null,
    started_at: report?.startedAt ?? null,
    finished_at: report?.finishedAt ?? null,
    total_tickets: report?.totalTickets ?? 0,
    ingested: report?.ingested ?? 0,
    items: report?.items.map(presentItem) ?? [],
    errors: report?.errors ?? [],
  }
}

function presentItem(item: ReportItem) {
  return {
    cluster_id: item.clusterId,
    question: item.question,
    frequency: item.frequency,
    representative_solution: item.representativeSolution,
    keywords: item.keywords,
    categories: item.categories,
    ticket_ids: item.ticketIds,
    confidence: item.confidence,
    covered: item.covered,
    candidate_id: item.candidateId,
  }
}

export function presentStatus({ report, lastRun, running }: MiningStatus) {
  return {
    ...presentReport(report),
    running: running && { started_at: running.startedAt.toISOString(), done: running.done, total: running.total },
    last_run: lastRun && {
      report_id: lastRun.reportId,
      state: lastRun.state,
      ...lastRun.filters,
      error: lastRun.error,
      started_at: lastRun.startedAt.toISOString(),
      finished_at: lastRun.finishedAt?.toISOString() ?? null,
    },
  }
}
