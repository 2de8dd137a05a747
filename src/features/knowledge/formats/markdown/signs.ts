/** Whether a text without a telling name uses Markdown: at least two different constructs, or headings. */
export function looksLikeMarkdown(text: string): boolean {
  const sample = text.slice(0, 64 * 1024)
  const headings = sample.match(/^#{1,6} \S/gm)?.length ?? 0
  if (headings >= 2) return true
  const signs = [
    headings > 0,
    /^(?:```|~~~)/m.test(sample),
    /\[[^\]\n]{1,200}\]\([^)\n]{1,500}\)/.test(sample),
    /^\|.{1,500}\|\s*$/m.test(sample) && /^\|[ :|-]{3,500}\|\s*$/m.test(sample),
    /\*\*[^*\n]{1,200}\*\*/.test(sample),
  ]
  return signs.filter(Boolean).length >= 2
}
