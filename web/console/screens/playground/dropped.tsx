import type { Found } from './column.tsx'
import { say } from './words.ts'

type DroppedPassage = NonNullable<Found['explanation']>['dropped'][number]

/** Passages that were looked at and left out, and why. */
export function Dropped({ dropped }: { dropped: readonly DroppedPassage[] }) {
  if (dropped.length === 0) return null
  return (
    <details>
      <summary>{say('dropped', { n: dropped.length })}</summary>
      <ul class="stack dense">
        {dropped.map((each) => (
          <li key={each.chunk_id}>
            <span class="row">
              <span class="grow clip">{each.source}</span>
              <span class="second">{say(`reason.${each.reason}`)}</span>
            </span>
            <span class="second">{each.excerpt}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
