import { sql } from 'kysely'
import { type Executor, toJson } from '../../platform/postgres/index.ts'
import type { ImportReport, ImportSummary, KnownPage } from './types.ts'

const KEPT_REPORTS = 50

/** Undefined also where its document was deleted: it is to be taken in anew. */
export async function findPage(executor: Executor, url: string): Promise<KnownPage | undefined> {
  const { rows } = await sql<KnownPage>`select url, doc_id as "docId", etag, last_modified as "lastModified",
      text_hash as "textHash", links, d.status = 'archived' as "isArchived"
    from website_pages p join knowledge_documents d using (doc_id) where url = ${url} and d.status <> 'deleted'`.execute(
    executor,
  )
  return rows[0]
}

export async function savePage(executor: Executor, page: KnownPage): Promise<void> {
  await sql`insert into website_pages (url, doc_id, etag, last_modified, text_hash, links)
    values (${page.url}, ${page.docId}, ${page.etag}, ${page.lastModified}, ${page.textHash},
      ${toJson(page.links)}::jsonb)
    on conflict (url) do update set doc_id = excluded.doc_id, etag = excluded.etag,
      last_modified = excluded.last_modified, text_hash = excluded.text_hash, links = excluded.links,
      seen_at = now()`.execute(executor)
}

/** Keeps the last reports. */
export async function saveReport(
  executor: Executor,
  { reportId, url, summary }: { reportId: string; url: string; summary: ImportSummary },
): Promise<void> {
  await sql`insert into website_imports (report_id, url, summary)
    values (${reportId}, ${url}, ${toJson(summary)}::jsonb)`.execute(executor)
  await sql`delete from website_imports where ordinal <= (select ordinal from website_imports
    order by ordinal desc offset ${KEPT_REPORTS} limit 1)`.execute(executor)
}

export async function findReport(executor: Executor, reportId: string): Promise<ImportReport | undefined> {
  const { rows } = await sql<Pick<ImportReport, 'reportId' | 'url' | 'createdAt'> & { summary: ImportSummary }>`
    select report_id as "reportId", url, summary, created_at as "createdAt" from website_imports
    where report_id = ${reportId}`.execute(executor)
  const [row] = rows
  return row && { reportId: row.reportId, url: row.url, ...row.summary, createdAt: row.createdAt }
}
