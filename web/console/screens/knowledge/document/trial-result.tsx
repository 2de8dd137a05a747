import type { CompareKnowledgeCanary } from '../../../../../clients/typescript/src/index.ts'
import { formatNumber } from '../../../../shared/words.ts'
import { Tag, type Tone } from '../../../ui/tag.tsx'
import { say } from '../words.ts'

type Result = CompareKnowledgeCanary['result']
type Compared = Result['queries'][number]

const TONES: Readonly<Record<Compared['verdict'], Tone>> = { improved: 'good', regressed: 'bad', unchanged: 'plain' }

/** What customers find now beside what they would find with the version in trial. */
export function TrialResult({ result: { queries, summary, recommendation } }: { result: Result }) {
  return (
    <section class="stack" aria-label={say('trialResult')}>
      <p class="row" role="status">
        <Tag tone={recommendation === 'promote' ? 'good' : 'warn'}>{say(`recommend.${recommendation}`)}</Tag>
        <span class="dense second">{say('trialSummary', summary)}</span>
      </p>
      <ul class="replayed">
        {queries.map((compared) => (
          <li key={compared.query}>
            <details>
              <summary>
                <span class="grow">{compared.query}</span>
                <span class="second small number">
                  {score(compared.main[0]?.score)} → {score(compared.canary[0]?.score)}
                </span>
                <Tag tone={TONES[compared.verdict]}>{say(`verdict.${compared.verdict}`)}</Tag>
              </summary>
              <div class="replayed-pair">
                <Found title={say('now')} hits={compared.main} />
                <Found title={say('withTrial')} hits={compared.canary} />
              </div>
            </details>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Found({ title, hits }: { title: string; hits: Compared['main'] }) {
  return (
    <div>
      <h3>{title}</h3>
      {hits.length === 0 && <p class="second dense">{say('findsNothing')}</p>}
      <ol class="found">
        {hits.slice(0, 3).map((hit, index) => (
          <li key={index}>
            <p class="second small row">
              <span class="clip grow">{hit.source}</span>
              <span class="number">{score(hit.score)}</span>
            </p>
            <p class="dense pre">{hit.content}</p>
          </li>
        ))}
      </ol>
    </div>
  )
}

function score(value: number | undefined): string {
  return value === undefined ? '–' : formatNumber(value, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
}
