import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { formatNumber } from '../../../shared/words.ts'
import type { Found } from './column.tsx'
import { labelsOf } from './scale-labels.ts'
import { say } from './words.ts'

const NAMES = ['drop', 'suggest', 'answer'] as const
const HEIGHT = 64
/** Where the scores stand, in pixels. */
const LINE = 40

/** Scores from 0 to 1 as points on a line, with the thresholds across it. */
export function Scale({ hits, thresholds }: { hits: Found['hits']; thresholds: Found['thresholds'] }) {
  const ref = useRef<HTMLElement>(null)
  const width = useWidth(ref)
  const at = (score: number) => 8 + Math.max(0, Math.min(1, score)) * (width - 16)
  const text = [
    ...hits.map(({ score }, index) => `${index + 1}: ${formatNumber(score, { maximumFractionDigits: 2 })}`),
    ...NAMES.map(
      (name) => `${say(`threshold.${name}`)}: ${formatNumber(thresholds[name], { maximumFractionDigits: 2 })}`,
    ),
  ].join(', ')
  return (
    <figure ref={ref}>
      <svg
        class="playground-scale"
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={`${say('scores')}. ${text}`}
      >
        <line class="axis" x1={8} x2={width - 8} y1={LINE} y2={LINE} />
        {NAMES.map((name) => (
          <line
            key={name}
            class={`threshold ${name}`}
            x1={at(thresholds[name])}
            x2={at(thresholds[name])}
            y1={20}
            y2={LINE + 10}
          />
        ))}
        {hits.map(({ chunk_id: id, score, is_answer: isAnswer }) => (
          <circle key={id} class={isAnswer ? 'is-answer' : ''} cx={at(score)} cy={LINE} r={5} />
        ))}
        {labelsOf(hits.map(({ score }) => at(score))).map(({ x, text }) => (
          <text key={text} x={x} y={LINE + 20} text-anchor="middle">
            {text}
          </text>
        ))}
      </svg>
      <figcaption class="row small second">
        {NAMES.map((name) => (
          <span key={name} class="row">
            <span class={`playground-key ${name}`} aria-hidden="true" />
            {say(`threshold.${name}`)}{' '}
            <span class="number">{formatNumber(thresholds[name], { maximumFractionDigits: 2 })}</span>
          </span>
        ))}
      </figcaption>
    </figure>
  )
}

const USUAL_WIDTH = 800

/** Pixels of something that grows and shrinks with the window. */
function useWidth(ref: RefObject<HTMLElement | null>): number {
  const width = useSignal(USUAL_WIDTH)
  useLayoutEffect(() => {
    const box = ref.current
    if (!box) return
    const measure = () => {
      width.value = box.clientWidth || USUAL_WIDTH
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(box)
    return () => observer.disconnect()
  }, [])
  return width.value
}
