import { getTunerParams, type SearchKnowledge } from '../../../../clients/typescript/src/index.ts'
import { desk } from '../../api.ts'
import { ParamSlider } from '../../parts/param-slider.tsx'
import { Button } from '../../ui/button.tsx'
import { Shown, useResource } from '../../ui/resource.tsx'
import { Tag } from '../../ui/tag.tsx'
import { say } from './words.ts'

export type Changed = NonNullable<SearchKnowledge['body']['params']>
type Name = keyof Changed

/** Those that a search depends on. */
const NAMES: readonly Name[] = [
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
]

/** Parameters for this question alone: nothing that is changed here concerns customers. */
export function Settings(props: { title: string; changed: Changed; onChange: (changed: Changed) => void }) {
  const { title, changed, onChange } = props
  const tuner = useResource('params', (signal) => getTunerParams(desk, { signal }))
  const count = Object.keys(changed).length
  return (
    <details class="playground-settings">
      <summary>
        {title}{' '}
        {count === 0 ? (
          <span class="second small">{say('inForce')}</span>
        ) : (
          <Tag tone="accent">{say('changed', { n: count })}</Tag>
        )}
      </summary>
      <Shown of={tuner}>
        {({ params, ranges }) => (
          <div class="playground-sliders">
            {NAMES.map((name) => {
              const range = ranges[name]
              if (!range) return null
              return (
                <ParamSlider
                  key={name}
                  name={name}
                  range={range}
                  inForce={params[name]}
                  value={changed[name] ?? params[name]}
                  onChange={(value) => onChange(withValue(changed, name, value, params[name]))}
                />
              )
            })}
            <div>
              <Button isSmall disabled={count === 0} onPress={() => onChange({})}>
                {say('reset')}
              </Button>
            </div>
          </div>
        )}
      </Shown>
    </details>
  )
}

/** A parameter as it is in force counts as not changed. */
function withValue(changed: Changed, name: Name, value: number, inForce: number): Changed {
  const { [name]: _, ...rest } = changed
  return value === inForce ? rest : { ...rest, [name]: value }
}
