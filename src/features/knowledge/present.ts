import type { CanaryPlacement } from './canary.ts'
import type { CanaryComparison, ComparedHit } from './canary-compare.ts'
import { versionName } from './identity.ts'
import type { QualityReport } from './quality.ts'
import type { DocumentRow, ListedDocument, VersionRow } from './queries.ts'
import type { IngestResult } from './types.ts'
import type { VersionSwitch } from './versions.ts'

/** From this feature's own records to the bodies of the contract. */

export function presentIngest(result: IngestResult) {
  return {
    doc_id: result.docId,
    source: result.source,
    chunk_count: result.chunkCount,
    status: result.status,
    errors: result.errors,
    version: result.version,
    unchanged: result.unchanged,
  }
}

export function presentListed(row: ListedDocument) {
  const isServed = row.status === 'active' && row.versionStatus === 'active'
  return {
    doc_id: row.docId,
    source: row.source,
    current_version: isServed ? versionName(row.versionNo) : null,
    status: row.status,
    knowledge_type: row.knowledgeType,
    product_category: row.productCategory,
    applicable_version: row.applicableVersion,
    chunk_count: isServed ? row.chunkCount : 0,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  }
}

export function presentDetail(document: DocumentRow, versions: readonly VersionRow[]) {
  const active = versions.find(({ status }) => status === 'active')
  return {
    doc_id: document.docId,
    source: document.source,
    current_version: active ? versionName(active.versionNo) : '',
    status: document.status as string,
    created_at: document.createdAt.toISOString(),
    updated_at: document.updatedAt.toISOString(),
    versions: versions.map((version) => ({
      version: versionName(version.versionNo),
      doc_hash: version.docHash,
      status: version.status,
      chunk_count: version.chunkCount,
      created_at: version.createdAt.toISOString(),
    })),
  }
}

/** What the contract answers for a document that is not there: 200 with an empty detail. */
export function presentMissing(docId: string) {
  return {
    doc_id: docId,
    source: '',
    current_version: '',
    status: 'not_found',
    created_at: null,
    updated_at: null,
    versions: [],
  }
}

export function presentSwitch({ docId, previousVersion, currentVersion, chunkCount }: VersionSwitch) {
  return {
    doc_id: docId,
    previous_version: previousVersion,
    current_version: currentVersion,
    status: 'active',
    chunk_count: chunkCount,
    success: true,
  }
}

export function presentPlacement({ docId, version, chunkCount, collection, status }: CanaryPlacement) {
  return { doc_id: docId, version, chunk_count: chunkCount, collection_name: collection, status: status as string }
}

export function presentComparison({ docId, version, queries, summary, recommendation }: CanaryComparison) {
  return {
    doc_id: docId,
    version,
    queries: queries.map(({ query, main, canary, overlapAtK, topScoreDelta, verdict }) => ({
      query,
      main: main.map(presentCompared),
      canary: canary.map(presentCompared),
      overlap_at_k: overlapAtK,
      top_score_delta: topScoreDelta,
      verdict: verdict as string,
    })),
    summary: {
      improved: summary.improved,
      regressed: summary.regressed,
      unchanged: summary.unchanged,
      main_avg_score: summary.mainAvgScore,
      canary_avg_score: summary.canaryAvgScore,
    },
    recommendation: recommendation as string,
  }
}

function presentCompared({ content, score, source, docId, collection }: ComparedHit) {
  return { content, score, source, doc_id: docId, collection: collection as string }
}

/** Chunks of a report are stored ones, so they have their ids. */
export function presentQuality(report: QualityReport) {
  return {
    checked_at: report.checkedAt.toISOString(),
    total_chunks: report.totalChunks,
    duplicate_count: report.duplicateCount,
    duplicate_rate: report.duplicateRate,
    duplicates: report.duplicates.map(({ chunk, duplicateOf, similarity }) => ({
      chunk_id: chunk.chunkId ?? 0,
      duplicate_of: duplicateOf.chunkId ?? 0,
      source: chunk.source,
      other_source: duplicateOf.source,
      similarity,
    })),
    terminology_hit_rate: report.terminologyHitRate,
    terminology: report.terms,
    missing_terms: report.missingTerms,
    sensitive_hits: report.sensitiveHits.map(({ chunk, word, category, excerpt }) => ({
      chunk_id: chunk.chunkId ?? 0,
      source: chunk.source,
      word,
      category,
      excerpt,
    })),
    conflicts: report.conflicts.map(({ a, b, kind, excerptA, excerptB }) => ({
      a: a.chunkId ?? 0,
      b: b.chunkId ?? 0,
      kind,
      excerpt_a: excerptA,
      excerpt_b: excerptB,
      source_a: a.source,
      source_b: b.source,
    })),
    passed: report.passed,
  }
}
