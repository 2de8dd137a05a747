import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { type StreamEvent, stream } from '../../../clients/typescript/src/index.ts'
import { desk } from '../api.ts'

type DeskEvent = StreamEvent<'GET /api/v1/agent/events'>
/** `connected`: events may have been missed before it, so a screen asks again for what it shows. */
export type LiveEvent = DeskEvent | { event: 'connected'; data: null; id: undefined }

/** Whether changes are seen as they happen. */
export const isLive = signal(false)

const handlers = new Set<(event: LiveEvent) => void>()
const RETRY_MS = 3_000

/** Calls with everything that happens at the desk for as long as the component is shown. */
export function useLive(handle: (event: LiveEvent) => void): void {
  const latest = useRef(handle)
  latest.current = handle
  useEffect(() => {
    const call = (event: LiveEvent) => latest.current(event)
    handlers.add(call)
    return () => void handlers.delete(call)
  }, [])
}

function tell(event: LiveEvent): void {
  for (const handle of handlers) handle(event)
}

/**
 * Follows the desk. Browsers open six connections to a host under HTTP/1.1, so one tab holds the stream and tells the
 * others. Locks need a secure context: over plain http to another machine each visible tab has a stream of its own.
 * @returns ends it
 */
export function followDesk(): () => void {
  const end = new AbortController()
  if (navigator.locks && typeof BroadcastChannel !== 'undefined') shareStream(end.signal)
  else followWhileVisible(end.signal)
  return () => {
    end.abort()
    isLive.value = false
  }
}

type Told = { kind: 'event'; event: LiveEvent } | { kind: 'state'; isLive: boolean } | { kind: 'hello' }

function shareStream(signal: AbortSignal): void {
  const channel = new BroadcastChannel('frontdesk.live')
  let isHolder = false
  const post = (told: Told) => channel.postMessage(told)
  channel.onmessage = ({ data }: MessageEvent<Told>) => {
    if (data.kind === 'hello' && isHolder) post({ kind: 'state', isLive: isLive.value })
    if (data.kind === 'state') isLive.value = data.isLive
    if (data.kind === 'event') tell(data.event)
  }
  signal.addEventListener('abort', () => channel.close())
  post({ kind: 'hello' })
  const hold = async () => {
    isHolder = true
    await follow(signal, (told) => {
      if (signal.aborted) return
      if (told.kind === 'event') tell(told.event)
      post(told)
    })
  }
  navigator.locks.request('frontdesk.live', { signal }, hold).catch(() => {})
}

function followWhileVisible(signal: AbortSignal): void {
  let current: AbortController | undefined
  const update = () => {
    if (document.visibilityState === 'hidden') current?.abort()
    else if (!current || current.signal.aborted) {
      current = new AbortController()
      void follow(AbortSignal.any([signal, current.signal]), (told) => {
        if (told.kind === 'event') tell(told.event)
      })
    }
  }
  document.addEventListener('visibilitychange', update)
  signal.addEventListener('abort', () => document.removeEventListener('visibilitychange', update))
  update()
}

/** The time until another try, cut short when the network comes back. */
function pauseOrOnline(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      removeEventListener('online', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    addEventListener('online', end)
  })
}

/** Reads the stream until the signal, over every break. */
async function follow(signal: AbortSignal, pass: (told: Told) => void): Promise<void> {
  const setLive = (value: boolean) => {
    isLive.value = value
    pass({ kind: 'state', isLive: value })
  }
  const client: Pick<typeof desk, 'send'> = {
    async send(route, input) {
      try {
        const response = await desk.send(route, input)
        setLive(true)
        pass({ kind: 'event', event: { event: 'connected', data: null, id: undefined } })
        return response
      } catch (error) {
        setLive(false)
        throw error
      }
    },
  }
  while (!signal.aborted) {
    const attempt = new AbortController()
    const give = () => attempt.abort()
    // Without a network a stream is silent for minutes before anybody notices.
    addEventListener('offline', give)
    try {
      const input = { query: { scope: 'all' as const }, signal: AbortSignal.any([signal, attempt.signal]) }
      for await (const event of stream(client, 'GET /api/v1/agent/events', input)) {
        if (event.event === 'closing') setLive(false)
        pass({ kind: 'event', event })
      }
    } catch {
    } finally {
      removeEventListener('offline', give)
    }
    if (signal.aborted) return
    setLive(false)
    await pauseOrOnline(RETRY_MS)
  }
}
