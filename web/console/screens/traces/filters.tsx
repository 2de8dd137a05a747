import type { ListMonitorTraces } from '../../../../clients/typescript/src/index.ts'
import { replace, to } from '../../shell/router.ts'
import { Check, Choice, TextField } from '../../ui/fields.tsx'
import { nameOf } from '../../ui/names.ts'
import { say } from './words.ts'

type Query = NonNullable<ListMonitorTraces['query']>
type Given = Readonly<Record<string, string>>

const STATUSES = ['ok', 'error', 'interrupted'] as const
const CONFIDENCES = ['sure', 'close', 'none', 'unsure'] as const
const INTENTS = [
  'faq',
  'product',
  'order',
  'logistics',
  'refund',
  'account',
  'technical',
  'complaint',
  'human',
  'chitchat',
  'unknown',
] as const

/** What is asked of the service by what stands in the address. */
export function queryOf(given: Given): Query {
  const { q, agent, session_id, status, confidence, intent, from, to: until, min_duration_ms: slow, escalated } = given
  const query = {
    q,
    agent,
    session_id,
    status: STATUSES.find((each) => each === status),
    confidence: CONFIDENCES.find((each) => each === confidence),
    intent: INTENTS.find((each) => each === intent),
    from: from ? new Date(from).toISOString() : undefined,
    to: until ? new Date(until).toISOString() : undefined,
    min_duration_ms: Number(slow) > 0 ? Number(slow) : undefined,
    escalated: escalated === 'true' ? true : undefined,
  }
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined && value !== ''))
}

/** Narrows the list. */
export function Filters({ query, chosen }: { query: Given; chosen: string | undefined }) {
  const set = (change: Record<string, string>) =>
    replace(to('traces', ...(chosen ? [chosen] : []), { ...query, ...change }))
  const choice = <T extends string>(
    name: string,
    label: string,
    values: readonly T[],
    nameOfValue: (value: T) => string,
  ) => (
    <Choice
      isBare
      label={label}
      value={query[name] ?? ''}
      onChange={(value) => set({ [name]: value })}
      options={[
        { value: '', text: `${label}: ${say('any')}` },
        ...values.map((value) => ({ value: value as string, text: nameOfValue(value) })),
      ]}
    />
  )
  const text = (name: string, label: string, type: 'search' | 'datetime-local' | 'number') => (
    <TextField
      isBare
      type={type}
      label={label}
      placeholder={label}
      value={query[name] ?? ''}
      onInput={(value) => set({ [name]: value })}
    />
  )
  return (
    <search class="row traces-filters" aria-label={say('filters')}>
      {text('q', say('search'), 'search')}
      {choice('status', say('status'), STATUSES, (value) => say(`status.${value}`))}
      {choice('confidence', say('confidence'), CONFIDENCES, (value) => say(`confidence.${value}`))}
      {choice('intent', say('intent'), INTENTS, nameOf.intent)}
      <Check
        label={say('escalated')}
        checked={query.escalated === 'true'}
        onChange={(isOn) => set({ escalated: isOn ? 'true' : '' })}
      />
      <details class="traces-rare">
        <summary>{say('more')}</summary>
        <div class="row">
          {text('agent', say('agent'), 'search')}
          {text('session_id', say('session'), 'search')}
          {text('min_duration_ms', say('slow'), 'number')}
          {text('from', say('from'), 'datetime-local')}
          {text('to', say('to'), 'datetime-local')}
        </div>
      </details>
    </search>
  )
}
