import { useSignal } from '@preact/signals'
import {
  type GetTunerParams,
  getTunerParams,
  resetTuner,
  setTunerParams,
} from '../../../../clients/typescript/src/index.ts'
import { desk } from '../../api.ts'
import { ParamSlider } from '../../parts/param-slider.tsx'
import { may } from '../../shell/session.ts'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Shown, useResource } from '../../ui/resource.tsx'
import { Tag } from '../../ui/tag.tsx'
import { toast } from '../../ui/toasts.tsx'
import { Auto } from './auto.tsx'
import { History } from './history.tsx'
import { Prediction } from './prediction.tsx'
import { say } from './words.ts'
import './tuner.css'

type Tuner = GetTunerParams['result']
export type Params = Tuner['params']
export type Changes = Partial<Params>
type Name = keyof Params

const GROUPS: Readonly<Record<'search' | 'talk' | 'cache', readonly Name[]>> = {
  search: [
    'direct_answer_threshold',
    'clarify_threshold',
    'min_score',
    'rerank_top_k',
    'lexical_top_k',
    'vector_top_k',
    'vector_weight',
    'rrf_k',
    'title_weight',
    'recency_half_life_days',
  ],
  talk: ['escalate_after_failures', 'anger_threshold', 'max_context_tokens'],
  cache: ['cache_ttl_seconds', 'cache_max_entries'],
}

/** Parameters of the assistant: what would change is seen before it does. */
export function Screen() {
  const tuner = useResource('params', (signal) => getTunerParams(desk, { signal }))
  return (
    <Page title={say('title')}>
      <Shown of={tuner}>{(known) => <Editor key={known.version} known={known} reload={tuner.reload} />}</Shown>
    </Page>
  )
}

function Editor({ known, reload }: { known: Tuner; reload: () => Promise<void> }) {
  const changes = useSignal<Changes>({})
  const count = Object.keys(changes.value).length
  const set = (name: Name, value: number) => {
    const { [name]: _, ...rest } = changes.value
    changes.value = value === known.params[name] ? rest : { ...rest, [name]: value }
  }
  const putBack = async () => {
    await setTunerParams(desk, { body: known.params })
    await reload()
  }
  const apply = async (chosen: Changes) => {
    await setTunerParams(desk, { body: chosen })
    toast({ text: say('applied'), undo: putBack })
    await reload()
  }
  const reset = async () => {
    await resetTuner(desk)
    toast({ text: say('resetDone'), undo: putBack })
    await reload()
  }
  return (
    <div class="tuner">
      <div class="stack">
        {(['search', 'talk', 'cache'] as const).map((group) => (
          <section key={group}>
            <h2>{say(group)}</h2>
            {GROUPS[group].map((name) => {
              const range = known.ranges[name]
              if (!range) return null
              return (
                <ParamSlider
                  key={name}
                  name={name}
                  range={range}
                  inForce={known.params[name]}
                  value={changes.value[name] ?? known.params[name]}
                  onChange={(value) => set(name, value)}
                />
              )
            })}
          </section>
        ))}
      </div>
      <div class="stack">
        <section class="stack">
          <div class="row">
            {count > 0 && <Tag tone="accent">{say('changed', { n: count })}</Tag>}
            <span class="grow" />
            {count > 0 && <Button onPress={() => void (changes.value = {})}>{say('discard')}</Button>}
            {may('admin') && (
              <>
                <Button onPress={reset}>{say('reset')}</Button>
                <Button kind="primary" disabled={count === 0} onPress={() => apply(changes.value)}>
                  {say('apply')}
                </Button>
              </>
            )}
          </div>
          {!may('admin') && <p class="second">{say('noRight')}</p>}
          <Prediction changes={changes.value} />
        </section>
        {may('admin') && <Auto onTake={apply} />}
        <History />
      </div>
    </div>
  )
}
