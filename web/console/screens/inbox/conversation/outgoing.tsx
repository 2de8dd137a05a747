import { signal } from '@preact/signals'
import { sendAgentMessage } from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { Button } from '../../../ui/button.tsx'
import { explain } from '../../../ui/failure.ts'
import { say } from '../words.ts'
import type { ConversationState } from './state.ts'

interface Outgoing {
  /** Makes a second try the same message for the service, however the first one ended. */
  key: string
  sessionId: string
  text: string
  /** Null: it is on its way. */
  failure: string | null
}

/** Messages that the service has not confirmed. They outlive a change to another conversation. */
const outgoing = signal<readonly Outgoing[]>([])

export function unsentOf(sessionId: string): readonly Outgoing[] {
  return outgoing.value.filter((each) => each.sessionId === sessionId)
}

/** Shows a message at once, and keeps it with another try where it could not be sent. */
export async function sendReply(sessionId: string, text: string, reload: () => Promise<void>): Promise<void> {
  // Browsers give random ids to pages of secure contexts alone.
  const key = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
  const message: Outgoing = { key, sessionId, text, failure: null }
  outgoing.value = [...outgoing.value, message]
  await attempt(message, reload)
}

async function attempt({ key, sessionId, text }: Outgoing, reload: () => Promise<void>): Promise<void> {
  change(key, null)
  try {
    await sendAgentMessage(desk, { path: { session_id: sessionId }, body: { content: text }, idempotencyKey: key })
    await reload()
    drop(key)
  } catch (error) {
    change(key, explain(error))
  }
}

function change(key: string, failure: string | null): void {
  outgoing.value = outgoing.value.map((each) => (each.key === key ? { ...each, failure } : each))
}

function drop(key: string): void {
  outgoing.value = outgoing.value.filter((each) => each.key !== key)
}

export function Unsent({ message, state }: { message: Outgoing; state: ConversationState }) {
  return (
    <article class="message agent is-unsent" aria-label={say('you')}>
      <div class="message-text pre">{message.text}</div>
      <div class="message-about" role="status">
        {message.failure === null ? (
          say('sending')
        ) : (
          <>
            <span>
              {say('notSent')}: {message.failure}
            </span>
            <Button isSmall onPress={() => attempt(message, state.reload)}>
              {say('sendAgain')}
            </Button>
            <Button isSmall kind="ghost" onPress={() => drop(message.key)}>
              {say('discard')}
            </Button>
          </>
        )}
      </div>
    </article>
  )
}
