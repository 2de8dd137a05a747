import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { AppError } from '../../../../kernel/errors.ts'
import { emptyDocument, malformedDocument, tooComplex, unsupportedFile } from '../failures.ts'
import { pairQuestions } from '../pair-questions.ts'
import { soleTopHeading } from '../titles.ts'
import type { ParsedContent } from '../types.ts'
import { blocksFromPages } from './blocks.ts'
import { withoutFurniture } from './furniture.ts'
import { type PdfLine, type PdfSpan, readingOrder, rowsOf } from './layout.ts'

const PACKAGE = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
/** Share of characters without meaning above which the fonts hide what they show. */
const MAX_UNREADABLE = 0.3
const MAX_SPANS_PER_PAGE = 50_000

type PdfJs = typeof import('pdfjs-dist/legacy/build/pdf.mjs')
type PdfDocument = Awaited<ReturnType<PdfJs['getDocument']>['promise']>
type PdfPageProxy = Awaited<ReturnType<PdfDocument['getPage']>>
type TextContent = Awaited<ReturnType<PdfPageProxy['getTextContent']>>
type TextItem = Extract<TextContent['items'][number], { str: string }>

/**
 * Text of a PDF in reading order, each block with its page. Throws AppError bad_request when it needs a password, has
 * more than `maxPages` pages, holds only pictures of text, or is broken.
 */
export async function parsePdf(bytes: Uint8Array, fileName: string, maxPages: number): Promise<ParsedContent> {
  refuseManyPages(bytes, fileName, maxPages)
  const pdfjs = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const document = await openPdf(pdfjs, bytes, fileName)
  try {
    if (document.numPages > maxPages) {
      throw tooComplex(fileName, `has ${document.numPages} pages; at most ${maxPages} are read, so split it`)
    }
    return await contentOf(pdfjs, document, fileName)
  } catch (error) {
    if (error instanceof AppError) throw error
    throw malformedDocument(fileName, 'is a damaged PDF', error)
  } finally {
    // Not awaited: it never settles for a page that was given up half-way.
    document.loadingTask.destroy().catch(() => undefined)
  }
}

/**
 * pdf.js walks the whole page tree before it tells the number of pages (50,000 took seconds); page objects that stand in
 * the file uncompressed are counted first. Revisions of a file repeat some, hence the tolerance.
 */
function refuseManyPages(bytes: Uint8Array, fileName: string, maxPages: number): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let count = 0
  for (let at = file.indexOf('/Type'); at >= 0; at = file.indexOf('/Type', at + 5)) {
    if (/^\/Type\s{0,4}\/Page[^s\w]/.test(file.toString('latin1', at, at + 16))) count++
  }
  if (count > 4 * maxPages)
    throw tooComplex(fileName, `has about ${count} pages; at most ${maxPages} are read, so split it`)
}

async function openPdf(pdfjs: PdfJs, bytes: Uint8Array, fileName: string): Promise<PdfDocument> {
  try {
    return await pdfjs.getDocument({
      // pdf.js takes the buffer over, so it gets its own.
      data: Uint8Array.from(bytes),
      cMapUrl: `${join(PACKAGE, 'cmaps')}/`,
      cMapPacked: true,
      standardFontDataUrl: `${join(PACKAGE, 'standard_fonts')}/`,
      useSystemFonts: false,
      disableFontFace: true,
      useWorkerFetch: false,
      useWasm: false,
      enableXfa: false,
      verbosity: pdfjs.VerbosityLevel.ERRORS,
    }).promise
  } catch (cause) {
    if (cause instanceof Error && cause.name === 'PasswordException') {
      throw unsupportedFile(fileName, 'is protected by a password; save it without one')
    }
    throw malformedDocument(fileName, 'is a damaged PDF', cause)
  }
}

async function contentOf(pdfjs: PdfJs, document: PdfDocument, fileName: string): Promise<ParsedContent> {
  const pages: PdfLine[][][] = []
  for (let number = 1; number <= document.numPages; number++)
    pages.push(rowsOf(await spansOf(pdfjs, document, number, fileName)))
  refuseUnreadable(pages, fileName)
  const kept = withoutFurniture(pages)
  const blocks = pairQuestions(blocksFromPages(kept.map((rows, i) => ({ number: i + 1, regions: readingOrder(rows) }))))
  const { title, metadata } = await infoOf(document)
  const blank = pages.flatMap((rows, i) => (rows.length === 0 ? [i + 1] : []))
  if (blank.length > 0) metadata.pages_without_text = blank.join(', ').slice(0, 500)
  return { title: title ?? soleTopHeading(blocks), metadata, blocks }
}

async function spansOf(pdfjs: PdfJs, document: PdfDocument, number: number, fileName: string): Promise<PdfSpan[]> {
  const page = await document.getPage(number)
  const { transform, height } = page.getViewport({ scale: 1 })
  const spans: PdfSpan[] = []
  for await (const { items } of textContent(page)) {
    for (const item of items) {
      const span = 'str' in item ? uprightSpan(item, pdfjs.Util.transform(transform, item.transform), height) : null
      if (span) spans.push(span)
    }
    if (spans.length > MAX_SPANS_PER_PAGE) {
      throw tooComplex(fileName, `has more than ${MAX_SPANS_PER_PAGE} pieces of text on page ${number}`)
    }
  }
  page.cleanup()
  return spans
}

/**
 * In parts as pdf.js finds it, so that a page without end is given up early. Read by hand: leaving a `for await` over the
 * stream would cancel it, after which pdf.js throws where nobody can catch.
 */
async function* textContent(page: PdfPageProxy): AsyncGenerator<TextContent> {
  const reader = page.streamTextContent().getReader() as ReadableStreamDefaultReader<TextContent>
  for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value
}

/** Null for blanks, and for text at an angle: a watermark or a note in the margin. */
function uprightSpan(item: TextItem, transform: number[], pageHeight: number): PdfSpan | null {
  const [a = 0, b = 0, , , x = 0, y = 0] = transform
  if (item.str.trim() === '' || a <= 0 || Math.abs(b) > 0.2 * a) return null
  return { text: plainCharacters(item.str), x, y: pageHeight - y, width: item.width, size: Math.hypot(a, b) }
}

/** Some fonts map common Chinese characters to their radicals' code points, and ligatures to their own. */
function plainCharacters(text: string): string {
  return text.replace(/[\u2e80-\u2fd5\ufb00-\ufb06]/g, (char) => char.normalize('NFKC'))
}

function refuseUnreadable(pages: PdfLine[][][], fileName: string): void {
  const text = pages.flatMap((rows) => rows.flatMap((row) => row.map((line) => line.text))).join('')
  if (text.trim() === '') {
    throw emptyDocument(
      fileName,
      'holds pictures of pages without text, as from a scanner; run text recognition (OCR) on it first',
    )
  }
  const unreadable = text.match(/[\p{Co}\ufffd\p{Cc}]/gu)?.length ?? 0
  if (unreadable > text.length * MAX_UNREADABLE) {
    throw emptyDocument(
      fileName,
      'uses fonts that hide which characters they show; export it again or run text recognition (OCR)',
    )
  }
}

async function infoOf(document: PdfDocument): Promise<{ title: string | null; metadata: Record<string, string> }> {
  const { info } = await document.getMetadata()
  const values = info as Record<string, unknown>
  const text = (name: string) => (typeof values[name] === 'string' ? values[name].trim().slice(0, 500) : '')
  const title = text('Title')
  const named = [
    ['author', text('Author')],
    ['created', text('CreationDate')],
  ] as const
  const metadata = Object.fromEntries(named.filter(([, value]) => value !== ''))
  // Programs write their own name or that of the source file here.
  const useless =
    title.length < 3 ||
    /^(?:untitled|microsoft word|powerpoint|document\d*$)|\.(?:docx?|pptx?|xlsx?|pdf|indd|tex)$/i.test(title)
  return { title: useless ? null : title, metadata }
}
