import { useSignal } from '@preact/signals'
import { listAgentReplies, renderAgentReply } from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { asAgent } from '../../../shell/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/fields.tsx'
import { Shown, useResource } from '../../../ui/resource.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { say } from '../words.ts'
import { insertion } from './state.ts'

const SHOWN = 12

/** Replies that somebody has saved, filled in for this customer. */
export function SavedReplies({ sessionId }: { sessionId: string }) {
  const isOpen = useSignal(false)
  return (
    <>
      <Button isSmall kind="ghost" onPress={() => void (isOpen.value = true)}>
        {say('savedReplies')}
      </Button>
      {isOpen.value && <Choose sessionId={sessionId} onClose={() => (isOpen.value = false)} />}
    </>
  )
}

function Choose({ sessionId, onClose }: { sessionId: string; onClose: () => void }) {
  const q = useSignal('')
  const replies = useResource(q.value, (signal) =>
    listAgentReplies(desk, { query: { limit: SHOWN, ...(q.value ? { q: q.value } : {}) }, signal }),
  )
  const use = async (replyId: string) => {
    const body = { session_id: sessionId, ...asAgent.value }
    const { text, missing } = await renderAgentReply(desk, { path: { reply_id: replyId }, body })
    insertion.value = { text, sources: [], isWhole: false }
    if (missing.length > 0) toast({ text: say('missing', { names: missing.join(', ') }) })
    onClose()
  }
  return (
    <Dialog title={say('savedReplies')} onClose={onClose}>
      <TextField
        isBare
        label={say('toSearch')}
        type="search"
        placeholder={say('toSearch')}
        value={q.value}
        onInput={(text) => (q.value = text)}
        autoFocus
      />
      <Shown of={replies} rows={3}>
        {({ replies: found }) =>
          found.length === 0 ? (
            <p class="second">{say('noReplies')}</p>
          ) : (
            <ul class="stack">
              {found.map((reply) => (
                <li key={reply.reply_id} class="row">
                  <span class="grow">
                    <strong>{reply.title}</strong> {reply.shortcut && <kbd>{reply.shortcut}</kbd>}
                    <span class="second dense clip" style={{ display: 'block' }}>
                      {reply.content}
                    </span>
                  </span>
                  <Button isSmall label={`${say('use')}: ${reply.title}`} onPress={() => use(reply.reply_id)}>
                    {say('use')}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </Dialog>
  )
}
