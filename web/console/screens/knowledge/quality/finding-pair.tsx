import { formatShare } from '../../../../shared/words.ts'
import { to } from '../../../shell/router.ts'
import { may } from '../../../shell/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Tag } from '../../../ui/tag.tsx'
import type { Finding, Side } from './findings.ts'
import { say } from './words.ts'

interface Props {
  finding: Finding
  onKeep: () => Promise<void>
  onArchive: (side: Side) => Promise<void>
}

/** Two passages side by side, with what can be done about them. */
export function FindingPair({ finding: { kind, similarity, sides }, onKeep, onArchive }: Props) {
  const [first, second] = sides
  const isOne = first.docId === second.docId
  const mayChange = may('knowledge')
  return (
    <article class="finding" tabIndex={-1}>
      <p class="row finding-kind">
        {kind === 'duplicate' ? (
          <Tag>{say('similarity', { share: formatShare(similarity ?? 1) })}</Tag>
        ) : (
          <Tag tone="warn">{say(`kind.${kind}`)}</Tag>
        )}
        {isOne && <span class="second dense">{say('sameDocument')}</span>}
        <span class="grow" />
        {mayChange && (
          <Button isSmall onPress={onKeep}>
            {say('keepBoth')}
          </Button>
        )}
      </p>
      <div class="finding-sides">
        {sides.map((side, index) => (
          <section key={side.chunkId} aria-label={say(index === 0 ? 'first' : 'second')}>
            <p class="row">
              <a class="clip grow dense" href={to('knowledge', side.docId)}>
                {side.source}
              </a>
              {mayChange && !isOne && (
                <Button isSmall kind="ghost" onPress={() => onArchive(side)}>
                  {say('archiveThis')}
                </Button>
              )}
            </p>
            <p class="pre dense finding-text">
              {parted(side.text, sides[1 - index]?.text ?? '').map(({ text, isOwn }, part) =>
                isOwn ? <mark key={part}>{text}</mark> : <span key={part}>{text}</span>,
              )}
            </p>
          </section>
        ))}
      </div>
    </article>
  )
}

/** The middle of a text that the other one does not share, between what both begin and end with. */
function parted(text: string, other: string): { text: string; isOwn: boolean }[] {
  if (text === other) return [{ text, isOwn: false }]
  const most = Math.min(text.length, other.length)
  let start = 0
  while (start < most && text[start] === other[start]) start++
  let end = 0
  while (end < most - start && text.at(-1 - end) === other.at(-1 - end)) end++
  // Whole words and numbers: of 14 and 17 both figures.
  while (start > 0 && /\w/.test(text[start - 1] ?? '')) start--
  while (end > 0 && /\w/.test(text.at(-end) ?? '')) end--
  // Texts with little in common differ everywhere: a mark would say nothing.
  if (start + end < text.length / 3) return [{ text, isOwn: false }]
  return [
    { text: text.slice(0, start), isOwn: false },
    { text: text.slice(start, text.length - end), isOwn: true },
    { text: text.slice(text.length - end), isOwn: false },
  ].filter((part) => part.text !== '')
}
