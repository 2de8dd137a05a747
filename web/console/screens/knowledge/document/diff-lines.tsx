import { Fragment } from 'preact'
import type { GetKnowledgeDocumentVersionDiff } from '../../../../../clients/typescript/src/index.ts'
import { say } from '../words.ts'

export type Diff = GetKnowledgeDocumentVersionDiff['result']
type Line = Diff['lines'][number]

const SIGNS: Readonly<Record<Line['kind'], string>> = { same: '', added: '+', removed: '−', changed: '~' }

/** What changed, line by line, and within a line word by word. */
export function DiffLines({ diff: { lines, is_complete } }: { diff: Diff }) {
  return (
    <>
      <table class="diff">
        <thead class="unseen">
          <tr>
            <th>{say('from')}</th>
            <th>{say('until')}</th>
            <th>{say('change')}</th>
            <th>{say('text')}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, index) => (
            <Fragment key={index}>
              {isJump(lines[index - 1], line) && (
                <tr class="diff-jump">
                  <td colSpan={4}>⋯</td>
                </tr>
              )}
              <tr class={`diff-${line.kind}`}>
                <td class="number">{line.before}</td>
                <td class="number">{line.after}</td>
                <td class="diff-sign">
                  <span aria-hidden="true">{SIGNS[line.kind]}</span>
                  <span class="unseen">{say(`line.${line.kind}`)}</span>
                </td>
                <td class="pre">{line.kind === 'changed' ? <Words line={line} /> : line.text}</td>
              </tr>
            </Fragment>
          ))}
        </tbody>
      </table>
      {!is_complete && <p class="second dense">{say('diffCut')}</p>}
    </>
  )
}

function Words({ line }: { line: Line }) {
  return (
    <>
      {line.words.map(({ kind, text }, index) =>
        kind === 'added' ? (
          <ins key={index}>{text}</ins>
        ) : kind === 'removed' ? (
          <del key={index}>{text}</del>
        ) : (
          <Fragment key={index}>{text}</Fragment>
        ),
      )}
    </>
  )
}

/** Lines that are the same on both sides are left out, which the numbers show. */
function isJump(previous: Line | undefined, line: Line): boolean {
  if (!previous) return (line.before ?? 1) > 1 && (line.after ?? 1) > 1
  const skipped = (from: number | null, until: number | null) => from !== null && until !== null && until - from > 1
  return skipped(previous.before, line.before) || skipped(previous.after, line.after)
}
