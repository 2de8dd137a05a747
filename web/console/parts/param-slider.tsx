import { useId } from 'preact/hooks'
import { formatNumber } from '../../shared/words.ts'
import { nameOfParam } from '../ui/params.ts'
import './param-slider.css'

const STEPS = 100

export interface ParamRange {
  min: number
  max: number
  integer: boolean
  description: string
}

/** A parameter of the tuner with its range; what is not in force stands out. */
export function ParamSlider(props: {
  name: Parameters<typeof nameOfParam>[0]
  range: ParamRange
  inForce: number
  value: number
  onChange: (value: number) => void
  disabled?: boolean
}) {
  const { name, range, inForce, value, onChange, disabled } = props
  const id = useId()
  return (
    <div class="slider" title={range.description}>
      <label for={id}>{nameOfParam(name)}</label>
      <input
        id={id}
        type="range"
        min={range.min}
        max={range.max}
        step={range.integer ? 1 : (range.max - range.min) / STEPS}
        value={value}
        disabled={disabled}
        onChange={(event) => onChange(Number(event.currentTarget.value))}
      />
      <span class={`number ${value === inForce ? 'second' : ''}`}>
        {formatNumber(value, { maximumFractionDigits: 3 })}
      </span>
    </div>
  )
}
