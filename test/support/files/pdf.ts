/** A line of text on a page: position of its start in points from the lower left, and font size. */
export interface PdfText {
  text: string
  x: number
  y: number
  /** Points; 11 unless told. */
  size?: number
}

export interface PdfOptions {
  /** 'latin': Helvetica, ISO 8859-1. 'chinese': STSong-Light, not embedded, by the predefined CMap UniGB-UCS2-H. */
  font?: 'latin' | 'chinese'
  title?: string
  /** Adds an encryption dictionary that no password opens. */
  encrypted?: boolean
}

const PAGE_WIDTH = 595
const PAGE_HEIGHT = 842

/** A PDF 1.4 file (ISO 32000-1) with the given lines on its pages; a page without lines is blank. */
export function pdfOf(pages: PdfText[][], options: PdfOptions = {}): Uint8Array {
  const objects: string[] = []
  const add = (body: string) => objects.push(body)
  const font = options.font ?? 'latin'
  const firstPage = 3 + fontObjects(font).length
  add('<< /Type /Catalog /Pages 2 0 R >>')
  const kids = pages.map((_, i) => `${firstPage + 2 * i} 0 R`)
  add(`<< /Type /Pages /Count ${pages.length} /Kids [${kids.join(' ')}] >>`)
  for (const body of fontObjects(font)) add(body)
  for (const [i, lines] of pages.entries()) {
    const content = lines.map((line) => textOperator(line, font)).join('\n')
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${PAGE_WIDTH} ${PAGE_HEIGHT}] /Resources << /Font << /F1 3 0 R >> >> /Contents ${firstPage + 2 * i + 1} 0 R >>`,
    )
    add(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`)
  }
  const info = options.title === undefined ? '' : `/Info ${add(`<< /Title ${literal(options.title)} >>`)} 0 R`
  const key = '<00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff>'
  const encrypt = options.encrypted
    ? `/Encrypt ${add(`<< /Filter /Standard /V 1 /R 2 /O ${key} /U ${key} /P -4 >>`)} 0 R /ID [<01> <01>]`
    : ''
  return fileOf(objects, `${info} ${encrypt}`)
}

function fontObjects(font: 'latin' | 'chinese'): string[] {
  if (font === 'latin') return ['<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>']
  return [
    '<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [4 0 R] >>',
    '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> /DW 1000 /FontDescriptor 5 0 R >>',
    '<< /Type /FontDescriptor /FontName /STSong-Light /Flags 4 /FontBBox [-25 -254 1000 880] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 880 /StemV 93 >>',
  ]
}

function textOperator(line: PdfText, font: 'latin' | 'chinese'): string {
  const shown =
    font === 'latin' ? literal(line.text) : `<${Buffer.from(line.text, 'utf16le').swap16().toString('hex')}>`
  return `BT /F1 ${line.size ?? 11} Tf 1 0 0 1 ${line.x} ${line.y} Tm ${shown} Tj ET`
}

function literal(text: string): string {
  return `(${text.replace(/[\\()]/g, '\\$&')})`
}

/** Header, numbered objects, cross-reference table and trailer. */
function fileOf(objects: string[], trailer: string): Uint8Array {
  const parts: string[] = ['%PDF-1.4\n%\xe2\xe3\xcf\xd3\n']
  let length = parts[0]?.length ?? 0
  const offsets = objects.map((body, i) => {
    const at = length
    const part = `${i + 1} 0 obj\n${body}\nendobj\n`
    parts.push(part)
    length += part.length
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  parts.push(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`)
  parts.push(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${length}\n%%EOF\n`)
  return Uint8Array.from(Buffer.from(parts.join(''), 'latin1'))
}

/** Lines of a paragraph, one below the other. */
export function pdfLines(lines: string[], x: number, top: number, size = 11, leading = 1.3): PdfText[] {
  return lines.map((text, i) => ({ text, x, y: top - i * size * leading, size }))
}
