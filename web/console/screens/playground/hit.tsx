import type { VNode } from 'preact'
import type { Span } from '../../../shared/markdown.ts'
import { formatNumber } from '../../../shared/words.ts'
import { to } from '../../shell/router.ts'
import { Passage } from '../../ui/markdown.tsx'
import { Tag } from '../../ui/tag.tsx'
import type { Found } from './column.tsx'
import { nameOfSignal, say } from './words.ts'

type Hit = Found['hits'][number]
type Explanation = NonNullable<Hit['explanation']>
type Highlight = Explanation['highlights']['content'][number]

/** A passage: where it stands, its words with those of the question marked, its score and what that is made of. */
export function HitView({ hit, number }: { hit: Hit; number: number }) {
  const marks = hit.explanation?.highlights
  return (
    <li class={`hit ${hit.is_answer ? 'is-answer' : ''}`}>
      <div class="row">
        <span class="number second">{number}</span>
        <a href={to('knowledge', hit.doc_id)} class="clip grow" title={say('toKnowledge')}>
          {[hit.source, ...hit.heading_path].join(' › ')}
        </a>
        {hit.audience === 'staff' && <Tag tone="warn">{say('staffOnly')}</Tag>}
        {hit.is_answer && <Tag tone="good">{say('isAnswer')}</Tag>}
        <strong class="number">
          {formatNumber(hit.score, { minimumFractionDigits: 2, maximumFractionDigits: 2 })}
        </strong>
      </div>
      {hit.question && (
        <p>
          <strong>{highlighted(hit.question, marks?.question ?? [])}</strong>
        </p>
      )}
      <div class="hit-text">
        <Passage text={hit.content} contentOf={(part) => highlighted(hit.content, marks?.content ?? [], part)} />
      </div>
      {hit.explanation && <Why explanation={hit.explanation} />}
    </li>
  )
}

/** A part of a text, in which words that the question has, too, are marked. */
function highlighted(
  text: string,
  marks: readonly Highlight[],
  part: Span = { start: 0, end: text.length },
): (VNode | string)[] {
  const pieces: (VNode | string)[] = []
  let end = part.start
  for (const mark of marks) {
    if (mark.start < end || mark.end > part.end) continue
    pieces.push(text.slice(end, mark.start), <mark key={mark.start}>{text.slice(mark.start, mark.end)}</mark>)
    end = mark.end
  }
  return [...pieces, text.slice(end, part.end)]
}

const NEGLIGIBLE = 0.02

/** Parts of the score as bars: all of them together are its log odds. */
function Why({ explanation: { lexical, vector, parts } }: { explanation: Explanation }) {
  const shown = parts
    .filter((part) => Math.abs(part.log_odds) >= NEGLIGIBLE)
    .toSorted((one, other) => Math.abs(other.log_odds) - Math.abs(one.log_odds))
  const most = Math.max(1, ...shown.map((part) => Math.abs(part.log_odds)))
  return (
    <details class="why">
      <summary class="small">
        {say('why')}
        <span class="second">
          {lexical && ` · ${say('lexical', { rank: lexical.rank })}`}
          {vector && ` · ${say('vector', { rank: vector.rank })}`}
        </span>
      </summary>
      <table>
        <tbody>
          {shown.map((part) => (
            <tr key={part.name}>
              <th scope="row">
                {say(`group.${part.group}`)} <span class="second">{nameOfSignal(part.name as 'start')}</span>
              </th>
              <td class="number">{formatNumber(part.log_odds, { maximumFractionDigits: 2, signDisplay: 'always' })}</td>
              <td class="why-bar">
                <span
                  class={part.log_odds < 0 ? 'less' : 'more'}
                  title={say(part.log_odds < 0 ? 'less' : 'more')}
                  style={{ width: `${(Math.abs(part.log_odds) / most) * 100}%` }}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
