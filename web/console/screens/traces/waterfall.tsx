import type { Step, Trace } from './trace.tsx'
import { nameOfStep, say } from './words.ts'

interface Line {
  step: Step
  depth: number
  /** Milliseconds after the turn began. */
  start: number
}

/** The narrowest bar that can be seen, as a share of the whole. */
const NARROWEST = 0.004

/** Steps below each other, indented as they were called, each with the time that it took; chosen by click or arrows. */
export function Waterfall(props: { trace: Trace; chosen: string | undefined; onChoose: (id: string) => void }) {
  const { trace, chosen, onChoose } = props
  const lines = linesOf(trace)
  const total = Math.max(1, trace.duration_ms, ...lines.map(({ start, step }) => start + step.duration_ms))
  const move = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const at = lines.findIndex(({ step }) => step.step_id === chosen)
    const next = by && lines[at + by]
    if (!next) return
    event.preventDefault()
    onChoose(next.step.step_id)
    document.getElementById(`step-${next.step.step_id}`)?.focus()
  }
  return (
    <ul class="waterfall" aria-label={say('steps')} onKeyDown={move}>
      {lines.map(({ step, depth, start }) => (
        <li key={step.step_id}>
          <button
            type="button"
            id={`step-${step.step_id}`}
            aria-pressed={step.step_id === chosen}
            onClick={() => onChoose(step.step_id)}
          >
            <span class="waterfall-name clip" style={{ paddingInlineStart: `${depth * 14}px` }}>
              {nameOfStep(step.name as 'search')}
            </span>
            <svg
              viewBox="0 0 100 10"
              preserveAspectRatio="none"
              aria-hidden="true"
              class={`${step.type} ${step.status}`}
            >
              <rect
                x={(start / total) * 100}
                width={Math.max(NARROWEST, step.duration_ms / total) * 100}
                y="1"
                height="8"
                rx="0.4"
              />
            </svg>
            <span class="number second">{say('ms', { n: step.duration_ms })}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** Each step after the one that called it, those of one in the order of time. */
function linesOf({ steps, started_at: begun }: Trace): Line[] {
  const known = new Set(steps.map(({ step_id: id }) => id))
  const parentOf = ({ parent_id: parent }: Step) => (parent && known.has(parent) ? parent : null)
  const below = (parent: string | null, depth: number): Line[] =>
    steps
      .filter((step) => parentOf(step) === parent)
      .toSorted((one, other) => one.started_at.localeCompare(other.started_at))
      .flatMap((step) => [
        { step, depth, start: Math.max(0, Date.parse(step.started_at) - Date.parse(begun)) },
        ...below(step.step_id, depth + 1),
      ])
  return below(null, 0)
}
