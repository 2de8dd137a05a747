import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { type StreamRoute, stream } from '../../../clients/typescript/src/index.ts'
import { formatDuration } from '../../shared/words.ts'
import { desk, isAborted } from '../api.ts'
import { Progress } from '../ui/states.tsx'
import { toast } from '../ui/toasts.tsx'
import { say } from './run-words.ts'

/** Long work of the service, whichever kind: an evaluation, a search of the tuner, mining. */
export interface Run {
  run_id: string
  state: 'running' | 'finished' | 'failed' | 'cancelled' | 'interrupted'
  subject: string
  progress: { done: number; total: number }
  eta_seconds: number | null
  started_at: string
  error: string | null
  /** Path of what came of it. */
  result: string | null
}

/** The id of what came of a run; null: nothing did. */
export function resultOf({ result }: Run): string | null {
  return result?.split('/').at(-1) ?? null
}

type RunStream = Extract<StreamRoute, `GET /api/v1/${string}/runs/{run_id}/events`>

/** How far a run is, as it goes on, with a way to end it; it is shown to everybody who opens the screen. */
export function RunProgress(props: {
  run: Run
  events: RunStream
  label: string
  onCancel: (id: string) => Promise<unknown>
  onEnd: (run: Run) => unknown
}) {
  const { run, events, label, onCancel } = props
  const current = useSignal(run)
  const onEnd = useRef(props.onEnd)
  onEnd.current = props.onEnd
  useEffect(() => {
    const end = new AbortController()
    const follow = async () => {
      const input = { path: { run_id: run.run_id }, signal: end.signal }
      for await (const event of stream(desk, events, input)) {
        if (event.event === 'closing') continue
        current.value = event.data as Run
        if (event.event !== 'progress') onEnd.current(current.value)
      }
    }
    follow().catch((error: unknown) => {
      if (!isAborted(error) && !end.signal.aborted) onEnd.current(current.value)
    })
    return () => end.abort()
  }, [run.run_id])
  const { progress, eta_seconds: rest } = current.value
  return (
    <Progress
      label={rest === null ? label : `${label} · ${say('rest', { time: formatDuration(rest) })}`}
      done={progress.done}
      total={progress.total}
      onCancel={() => onCancel(run.run_id)}
    />
  )
}

/** Says how a run ended that brought nothing. */
export function sayEnd(run: Run): void {
  if (run.state === 'failed' || run.state === 'interrupted') {
    toast({ kind: 'bad', text: `${say(run.state)}${run.error ? ` ${run.error}` : ''}` })
  }
  if (run.state === 'cancelled') toast({ text: say('cancelled') })
}
