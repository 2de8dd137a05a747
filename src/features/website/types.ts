export interface WebsiteRequest {
  url: string
  /** Null: links are followed from `url`. */
  sitemap: string | null
  /** Pages that are asked for at the most. */
  limit: number
  pathPrefix: string
}

export interface PageFailure {
  url: string
  reason: string
}

export interface ImportSummary {
  imported: number
  unchanged: number
  skipped: number
  failed: number
  /** Pages that were known and are there no more; their documents stay. */
  gone: number
  /** Pages that were found and not asked for, for the limit. */
  left: number
  failures: PageFailure[]
}

export interface ImportReport extends ImportSummary {
  reportId: string
  url: string
  createdAt: Date
}

/** A page as it was taken in. */
export interface KnownPage {
  url: string
  docId: string
  etag: string | null
  lastModified: string | null
  textHash: string
  links: string[]
  /** Somebody took its document out of use. */
  isArchived?: boolean
}
