import { useSignal } from '@preact/signals'
import { type GetMonitorTrace, getMonitorTrace } from '../../../../clients/typescript/src/index.ts'
import { desk, FrontdeskError } from '../../api.ts'
import { to } from '../../shell/router.ts'
import { nameOf } from '../../ui/names.ts'
import { useResource } from '../../ui/resource.tsx'
import { Empty, Failed, Loading } from '../../ui/states.tsx'
import { Tag } from '../../ui/tag.tsx'
import { At } from '../../ui/time.tsx'
import { outcomeOf } from './outcome.ts'
import { Waterfall } from './waterfall.tsx'
import { nameOfStep, say } from './words.ts'

export type Trace = GetMonitorTrace['result']
export type Step = Trace['steps'][number]

/** One turn: its steps as a tree over time, and what went in and came out of the one that is chosen. */
export function TraceView({ id }: { id: string }) {
  const trace = useResource(id, (signal) => getMonitorTrace(desk, { path: { trace_id: id }, signal }))
  const { data, error, reload } = trace
  if (data.value) return <Chosen trace={data.value} />
  if (error.value instanceof FrontdeskError && error.value.status === 404) return <Empty title={say('gone')} />
  return error.value ? <Failed error={error.value} onRetry={reload} /> : <Loading />
}

function Chosen({ trace }: { trace: Trace }) {
  const chosen = useSignal(trace.steps[0]?.step_id)
  const step = trace.steps.find(({ step_id: id }) => id === chosen.value)
  return (
    <article class="stack trace">
      <header class="row">
        <h2 class="grow">{trace.question}</h2>
        <a class="button" href={to('inbox', trace.session_id, { tab: 'all' })}>
          {say('toMessage')}
        </a>
      </header>
      <p class="row second dense">
        <At at={trace.started_at} />
        <span class="number">{say('ms', { n: trace.duration_ms })}</span>
        <Tag tone={trace.status === 'ok' ? 'good' : 'bad'}>{say(`status.${trace.status}`)}</Tag>
        {trace.confidence && <Tag tone="machine">{say(`confidence.${trace.confidence}`)}</Tag>}
        <span>{nameOf.intent(trace.intent)}</span>
        <span>{nameOf.channel(trace.channel)}</span>
        {trace.cached && <span>{say('cached')}</span>}
        {trace.escalated && <span>{say('escalated')}</span>}
        {trace.tokens.total_tokens > 0 && <Tokens tokens={trace.tokens} />}
      </p>
      {trace.error && <p class="trace-error">{trace.error}</p>}
      <Waterfall trace={trace} chosen={chosen.value} onChoose={(id) => (chosen.value = id)} />
      {step && <StepView step={step} />}
    </article>
  )
}

function Tokens({ tokens }: { tokens: Trace['tokens'] }) {
  return (
    <span class="number">
      {say('tokens', { n: tokens.total_tokens })}
      {tokens.estimated && ` (${say('estimated')})`}
    </span>
  )
}

function StepView({ step }: { step: Step }) {
  return (
    <section class="stack" aria-live="polite">
      <h2>
        {nameOfStep(step.name as 'search')} <span class="second">{say(`type.${step.type}`)}</span>
      </h2>
      {step.error && <p class="trace-error">{step.error}</p>}
      {step.tokens && (
        <p class="second dense">
          <Tokens tokens={step.tokens} />
        </p>
      )}
      <Value title={say('input')} text={step.input} />
      <Value title={say('output')} text={outcomeOf(step)} />
    </section>
  )
}

function Value({ title, text }: { title: string; text: string }) {
  if (text === '') return null
  return (
    <div>
      <p class="second small">{title}</p>
      <pre class="trace-value">{pretty(text)}</pre>
    </div>
  )
}

/** JSON is shown with a line for each field; a shortened one is none any more, and shown as it is. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
