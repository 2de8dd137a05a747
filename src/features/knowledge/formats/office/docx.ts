import mammoth from 'mammoth'
import { malformedDocument } from '../failures.ts'
import { parseHtml } from '../html/parse.ts'
import type { ParsedContent } from '../types.ts'
import { type Archive, repack } from './archive.ts'
import { coreProperties } from './properties.ts'

/** Word's own names for titles and their translations; mammoth maps the rest of the built-in styles itself. */
const STYLES = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => p:fresh",
  "p[style-name='标题'] => h1:fresh",
]

/** A Word document by way of HTML: headings, lists, tables and notes kept, pictures dropped, linked files never opened. */
export async function parseDocx(archive: Archive, fileName: string): Promise<ParsedContent> {
  const { title, metadata } = coreProperties(archive)
  let html: string
  try {
    const result = await mammoth.convertToHtml(
      { buffer: repack(archive.parts) },
      { styleMap: STYLES, externalFileAccess: false, convertImage: mammoth.images.imgElement(noImage) },
    )
    html = result.value
  } catch (cause) {
    throw malformedDocument(fileName, 'cannot be read as a Word document', cause)
  }
  const content = parseHtml(`<html><body>${html}</body></html>`)
  return { ...content, title: content.title ?? title, language: null, metadata }
}

async function noImage(): Promise<{ src: string }> {
  return { src: '' }
}
