import type { PreviewSolution } from '../../../clients/typescript/src/index.ts'
import { formatShare } from '../../shared/words.ts'
import { to } from '../shell/router.ts'
import { Markdown } from '../ui/markdown.tsx'
import { Tag, type Tone } from '../ui/tag.tsx'
import { say } from './solution-words.ts'

const TONES: Readonly<Record<string, Tone>> = { answered: 'good', improved: 'good', changed: 'accent', worse: 'bad' }

/** What customers would be told until now and from then on, and what a reviewer should know. */
export function SolutionReplays({ preview }: { preview: PreviewSolution['result'] }) {
  const { replays, warnings, masked, similar, published } = preview
  return (
    <section class="stack" aria-live="polite" aria-label={say('replay')}>
      {warnings.length > 0 && (
        <ul class="solution-warnings">
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
      {masked.length > 0 && (
        <p class="second">
          {say('maskedOut', { fields: [...new Set(masked.map(({ kind }) => kind))].join(', ') })} {published.solution}
        </p>
      )}
      {replays.map(({ question, original, before, after, change }) => (
        <article key={question} class="solution-replay">
          <header>
            <strong class="grow">{question}</strong>
            {original && <span class="second small">{say('customerAsked')}</span>}
            <Tag tone={TONES[change] ?? 'plain'}>{say(`change.${change}`)}</Tag>
          </header>
          <Told title={say('before')} told={before} />
          <Told title={say('after')} told={after} />
        </article>
      ))}
      {similar.length > 0 && (
        <details>
          <summary>{say('similar')}</summary>
          <ul class="stack">
            {similar.map((each) => (
              <li key={each.doc_id + each.content}>
                <a href={to('knowledge', each.doc_id)}>{each.source}</a>{' '}
                <span class="number second">{formatShare(each.score)}</span>
                <p class="pre">{each.question ? `${each.question}\n${each.content}` : each.content}</p>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

function Told({ title, told }: { title: string; told: PreviewSolution['result']['replays'][number]['before'] }) {
  return (
    <div>
      <p class="second small">{title}</p>
      {told.confidence === 'none' ? <p>{say('noAnswer')}</p> : <Markdown text={told.reply} />}
    </div>
  )
}
