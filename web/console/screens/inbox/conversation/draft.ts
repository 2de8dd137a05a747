import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { getAgentSessionDraft, setAgentSessionDraft } from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { agentName, asAgent, session } from '../../../shell/session.ts'
import { useReturn } from '../../../ui/return.ts'

/** Not every letter is worth a request. */
const PAUSE_MS = 700

/** A reply that is not sent yet, kept by the service: it is there again on another machine. */
export function useDraft(sessionId: string, isMine: boolean) {
  const text = useSignal('')
  const isKept = useSignal(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const unsaved = useRef<string | null>(null)

  const save = async () => {
    const content = unsaved.current
    if (content === null) return
    unsaved.current = null
    try {
      await setAgentSessionDraft(desk, { path: { session_id: sessionId }, body: { content, ...asAgent.value } })
      isKept.value = content !== '' && unsaved.current === null
    } catch {
      // It is kept when the service can be reached again, unless something later was written until then.
      unsaved.current ??= content
    }
  }
  const change = (content: string) => {
    text.value = content
    unsaved.current = content
    isKept.value = false
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void save(), PAUSE_MS)
  }
  useEffect(() => {
    if (!isMine) return
    const query = session.value?.person ? {} : { agent_id: agentName.value }
    getAgentSessionDraft(desk, { path: { session_id: sessionId }, query }).then(
      ({ content }) => {
        // Somebody who writes already is not interrupted.
        if (text.value === '') text.value = content
        isKept.value = content !== ''
      },
      () => {},
    )
    return () => {
      clearTimeout(timer.current)
      void save()
    }
  }, [sessionId, isMine])
  useReturn(save)
  return { text, isKept, change, clear: () => change('') }
}
