import { h, type VNode } from 'preact'
import { type Make, markdownOf, piecesOf, type Span, tableOf } from '../../shared/markdown.ts'

const make: Make<VNode> = (name, attributes, ...children) => h(name, attributes, ...children)

/** A reply as the customer sees it: paragraphs, lists, tables, links. */
export function Markdown({ text }: { text: string }) {
  return <div class="markdown">{markdownOf(text, make)}</div>
}

/** A passage word for word, its tables as tables; `contentOf` says how a part of it is shown. */
export function Passage({ text, contentOf }: { text: string; contentOf?: (part: Span) => (VNode | string)[] }) {
  const content = contentOf ?? (({ start, end }: Span) => [text.slice(start, end)])
  return (
    <div class="markdown">
      {piecesOf(text).map((piece) =>
        piece.kind === 'table' ? (
          tableOf(piece.rows, make, content)
        ) : (
          <p key={piece.start} class="pre">
            {content(piece)}
          </p>
        ),
      )}
    </div>
  )
}
