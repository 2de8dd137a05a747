/** The part of a domhandler node that is read here. */
export interface DomNode {
  type: string
  name?: string
  data?: string
  attribs?: Record<string, string>
  children?: DomNode[]
}

/** Elements that begin and end on a line of their own. */
export const BLOCK_TAGS = new Set(
  'address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul caption'.split(
    ' ',
  ),
)

/** Text below a node with a space at each block boundary; iterative, since it also reads what is too deep to walk. */
export function textOf(node: DomNode): string {
  const out: string[] = []
  const stack: (DomNode | string)[] = [node]
  while (stack.length > 0) {
    const current = stack.pop() as DomNode | string
    const own = typeof current === 'string' ? current : ownText(current)
    if (own !== null) out.push(own)
    else pushChildren(stack, current as DomNode)
  }
  return out.join('')
}

/** `textOf` on one line. */
export function lineOf(node: DomNode): string {
  return textOf(node).replace(/\s+/g, ' ').trim()
}

/** Text exactly as written, for preformatted elements. */
export function rawText(node: DomNode): string {
  return textOf({ ...node, name: 'span' })
}

/** White space as a browser shows it, line breaks kept. */
export function tidyLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/ {2,}/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n')
}

/** Text that the node itself stands for; null when its children have to be read. */
function ownText(node: DomNode): string | null {
  if (node.type === 'text') return node.data ?? ''
  if (node.name === 'br') return '\n'
  if (node.name === 'img') return node.attribs?.alt ?? ''
  return node.type === 'comment' ? '' : null
}

function pushChildren(stack: (DomNode | string)[], node: DomNode): void {
  const apart = BLOCK_TAGS.has(node.name ?? '') ? ' ' : ''
  stack.push(apart)
  const children = node.children ?? []
  for (let i = children.length - 1; i >= 0; i--) stack.push(children[i] as DomNode)
  stack.push(apart)
}
