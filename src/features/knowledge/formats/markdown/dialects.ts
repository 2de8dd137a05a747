/** Fences of code, whose lines stay as they are. */
const FENCE = /^\s{0,3}(`{3,}|~{3,})/
/** Lines of programs in MDX: `import X from 'y'`, `export const x = 1`. */
const PROGRAM =
  /^(?:import\s.{0,300}from\s+['"][^'"]{1,300}['"];?|import\s+['"][^'"]{1,300}['"];?|export\s+(?:const|default|let|function)\b.{0,500})\s*$/
/** Placeholders of templates: `{% include x %}`, `{{< figure >}}`, `[!INCLUDE [x](y)]`, `[TOC]`. */
const TEMPLATE =
  /\{%[^%\n]{0,300}%\}|\{\{[<%][^\n]{0,300}?[>%]\}\}|\[!(?:INCLUDE|VIDEO|CODE)\b[^\n]{0,300}$|^\s*\[\[?_?toc_?\]\]?\s*$/gi
/** `{.link}`, `{#anchor}`, `{: target="_blank"}` behind what they say something of. */
const ATTRIBUTES =
  /\{:?\s?(?:[.#][\w-]{1,80}|[\w-]{1,40}="[^"\n]{0,200}")(?:\s+(?:[.#][\w-]{1,80}|[\w-]{1,40}="[^"\n]{0,200}")){0,10}\s?\}/g
/** The first and last line of a box: `:::tip Title`, `:::tip[Title]`, `:::`. */
const BOX = /^\s{0,3}:{3,}(?:[a-z-]{1,30}(?:\s?\[([^\]\n]{1,200})\]|\s+([^\n]{1,200}?))?)?\s*$/i
/** Marks that say something to a program alone: `::: zone pivot="a"`, `:::image source="a.png":::`, `::: {.box}`. */
const MARK =
  /^\s{0,3}:{3,}\s?(?:\{[^}\n]{0,200}\}|(?:image|video|code|zone|zone-end|moniker|moniker-end|row|row-end|column|column-end)\b.{0,500})\s*$/i
/** `!!! note "Title"`, `??? tip`, `=== "Tab"`: what belongs to it is indented by four. */
const INDENTED_BOX = /^(?:!!!|\?\?\?\+?|===)\s{0,4}[\w-]{0,30}\s{0,4}(?:"([^"\n]{0,200})")?\s*$/
const QUOTED_BOX = /^(\s{0,12}>\s?)\[!(?:note|tip|important|warning|caution|danger|info)\][+-]?\s*/i
const TAB = /<TabItem\b[^>\n]{0,200}\blabel="([^"\n]{1,100})"[^>\n]{0,200}>/g
/** Entries of a table of contents: links into the page and nothing else. */
const CONTENTS_ENTRY = /^\s{0,12}(?:[-*+]|\d{1,2}[.)])\s{1,4}\[[^\]\n]{1,300}\]\(#[^)\n]{0,300}\)\s*$/
const CONTENTS_HEAD =
  /^(?:#{1,6}\s{0,4})?[*_]{0,2}(?:in this (?:article|section|guide|page)|on this page|table of contents|contents|本文内容|本页内容|目录)[*_]{0,2}\s?[:：]?\s*$/i

/**
 * Markdown without what documentation tools add to it and no reader sees: parts of programs and templates, attributes,
 * marks of boxes and tabs (their titles stay), and the table of contents of the page. One pass over the lines.
 */
export function withoutDialects(text: string): string {
  const lines: string[] = []
  let fence: string | null = null
  let isIndented = false
  for (const line of text.split('\n')) {
    const mark = FENCE.exec(line)?.[1]
    if (fence !== null || mark !== undefined) {
      if (fence === null) fence = (mark as string).slice(0, 3)
      else if (mark?.startsWith(fence)) fence = null
      lines.push(isIndented ? line.replace(/^ {4}/, '') : line)
      continue
    }
    const box = INDENTED_BOX.exec(line)
    isIndented = box !== null || (isIndented && /^(?: {4}|\s*$)/.test(line))
    if (box) lines.push(box[1] ? `**${box[1]}**` : '')
    else if (CONTENTS_ENTRY.test(line)) dropContentsHead(lines)
    else lines.push(cleaned(isIndented ? line.replace(/^ {4}/, '') : line))
  }
  return lines.join('\n')
}

/** The heading goes with the first of its entries. */
function dropContentsHead(lines: string[]): void {
  const at = lines.findLastIndex((line) => line.trim() !== '')
  if (at >= 0 && CONTENTS_HEAD.test((lines[at] as string).trim())) lines.length = at
}

function cleaned(line: string): string {
  if (PROGRAM.test(line) || MARK.test(line)) return ''
  const box = BOX.exec(line)
  if (box) return (box[1] ?? box[2] ?? '').trim()
  return line.replace(QUOTED_BOX, '$1').replace(TAB, '\n**$1**\n').replace(TEMPLATE, '').replace(ATTRIBUTES, '')
}
