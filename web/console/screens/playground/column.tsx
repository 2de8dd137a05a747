import { useSignal } from '@preact/signals'
import { type SearchKnowledge, searchKnowledge } from '../../../../clients/typescript/src/index.ts'
import { desk } from '../../api.ts'
import { may } from '../../shell/session.ts'
import { Button } from '../../ui/button.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { Shown, useResource } from '../../ui/resource.tsx'
import { Empty } from '../../ui/states.tsx'
import { Tag, type Tone } from '../../ui/tag.tsx'
import { CaseDialog } from './case.tsx'
import { Dropped } from './dropped.tsx'
import { HitView } from './hit.tsx'
import { Scale } from './scale.tsx'
import { type Changed, Settings } from './settings.tsx'
import { say } from './words.ts'

export type Found = SearchKnowledge['result']

const TONES: Readonly<Record<Found['reply']['confidence'], Tone>> = {
  sure: 'good',
  close: 'accent',
  asks: 'warn',
  none: 'bad',
}

/** What one set of settings finds. */
export function Column({ q, audience, title }: { q: string; audience: 'customers' | 'staff'; title: string }) {
  const changed = useSignal<Changed>({})
  const isSaving = useSignal(false)
  const body = {
    query: q,
    explain: true,
    // Customers are the default; naming staff asks for a right of its own.
    ...(audience === 'staff' ? { audience } : {}),
    params: changed.value,
  }
  const found = useResource(JSON.stringify(body), (signal) => searchKnowledge(desk, { body, signal }))
  return (
    <section class="stack" aria-label={title}>
      <Settings title={title} changed={changed.value} onChange={(next) => (changed.value = next)} />
      <Shown of={found}>
        {(result) => (
          <>
            <Reply reply={result.reply} />
            <div class="row">
              <span class="second small number grow">
                {say('stages', {
                  candidates: result.explanation?.candidates ?? 0,
                  ms: Math.max(1, Math.round(sum(result.explanation?.stages.map(({ duration_ms: ms }) => ms) ?? []))),
                })}
              </span>
              {may('knowledge') && (
                <Button isSmall onPress={() => void (isSaving.value = true)}>
                  {say('saveCase')}
                </Button>
              )}
            </div>
            {result.hits.length === 0 ? (
              <Empty title={say('none')} text={say('noneText')} />
            ) : (
              <>
                <Scale hits={result.hits} thresholds={result.thresholds} />
                <ol class="stack" aria-label={say('hits')}>
                  {result.hits.map((hit, index) => (
                    <HitView key={hit.chunk_id} hit={hit} number={index + 1} />
                  ))}
                </ol>
              </>
            )}
            <Dropped dropped={result.explanation?.dropped ?? []} />
            {isSaving.value && <CaseDialog q={q} hits={result.hits} onClose={() => (isSaving.value = false)} />}
          </>
        )}
      </Shown>
    </section>
  )
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** What the customer would be told. */
function Reply({ reply }: { reply: Found['reply'] }) {
  return (
    <div class="playground-reply">
      <div class="row">
        <h2 class="grow">{say('reply')}</h2>
        <Tag tone={TONES[reply.confidence]}>{say(`confidence.${reply.confidence}`)}</Tag>
      </div>
      <Markdown text={reply.text} />
    </div>
  )
}
