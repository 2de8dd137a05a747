import type { DocumentFormat } from './formats.ts'

/** Where in its file a block stood; pages and slides count from 1. */
export interface BlockPlace {
  page?: number
  sheet?: string
  slide?: number
}

/** One piece of a document's structure. Texts are plain: links and emphasis are reduced to what a person reads. */
export type Block = BlockPlace &
  (
    | { type: 'heading'; level: number; text: string }
    /** Line breaks inside `text` are the author's. */
    | { type: 'paragraph'; text: string }
    /** Items carry their own marker ("- ", "3. ") and hold nested lists as indented lines. */
    | { type: 'list'; items: string[] }
    | { type: 'table'; header: string[]; rows: string[][] }
    | { type: 'code'; language: string | null; text: string }
    | { type: 'qa'; question: string; answer: Block[]; metadata: Record<string, string> }
    /** An entry of a data file: the blocks below it belong to it alone; its title may be ''. */
    | { type: 'entry'; title: string; blocks: Block[]; metadata: Record<string, string> }
    /** A row or object without a known shape; an unnamed field has the name ''. */
    | { type: 'record'; fields: [name: string, value: string][]; metadata: Record<string, string> }
  )

export interface ParsedDocument {
  format: DocumentFormat
  /** From the file's own front matter, title element or only first-level heading; null when it names none. */
  title: string | null
  /** BCP 47 primary tag when the file states it or its script shows it ('zh', 'en', 'ja', …), else null. */
  language: string | null
  /** The file's own account of itself (front matter, document properties, mail headers); values up to 500 characters. */
  metadata: Record<string, string>
  blocks: Block[]
}

export interface DocumentInput {
  bytes: Uint8Array
  /** Names the file in messages; its extension is only a hint for the type. */
  fileName: string
}

export interface ParseLimits {
  maxBytes: number
  /** Paragraphs, rows, list items and the like in one document. */
  maxBlocks: number
  /** Nesting of HTML elements, JSON values and the like. */
  maxDepth: number
  /** Pages of a PDF, slides of a presentation. */
  maxPages: number
}

export const DEFAULT_LIMITS: ParseLimits = {
  maxBytes: 100 * 1024 * 1024,
  maxBlocks: 300_000,
  maxDepth: 400,
  maxPages: 2_000,
}

/** The result of a format's own parser; `parse-document.ts` adds the format and the language. */
export interface ParsedContent {
  title: string | null
  language?: string | null
  metadata?: Record<string, string>
  blocks: Block[]
}
