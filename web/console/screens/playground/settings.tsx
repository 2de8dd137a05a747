import { useId } from 'preact/hooks'
import { getTunerParams, type SearchKnowledge } from '../../../../clients/typescript/src/index.ts'
import { formatNumber } from '../../../shared/words.ts'
import { desk } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { nameOfParam } from '../../ui/params.ts'
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
const STEPS = 100

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
                <Slider
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

interface Range {
  min: number
  max: number
  integer: boolean
  description: string
}

function Slider(props: {
  name: Name
  range: Range
  inForce: number
  value: number
  onChange: (value: number) => void
}) {
  const { name, range, inForce, value, onChange } = props
  const id = useId()
  const step = range.integer ? 1 : (range.max - range.min) / STEPS
  return (
    <div class="slider" title={range.description}>
      <label for={id}>{nameOfParam(name)}</label>
      <input
        id={id}
        type="range"
        min={range.min}
        max={range.max}
        step={step}
        value={value}
        onChange={(event) => onChange(Number(event.currentTarget.value))}
      />
      <span class={`number ${value === inForce ? 'second' : ''}`}>
        {formatNumber(value, { maximumFractionDigits: 3 })}
      </span>
    </div>
  )
}
