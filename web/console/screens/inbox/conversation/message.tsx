import { withoutSources } from '../../../../shared/markdown.ts'
import { formatShare } from '../../../../shared/words.ts'
import { to } from '../../../shell/router.ts'
import { agentName } from '../../../shell/session.ts'
import { Markdown } from '../../../ui/markdown.tsx'
import { When } from '../../../ui/time.tsx'
import { say } from '../words.ts'
import type { Message } from './state.ts'

/** One message: what was said, by whom and when, and of a reply of the assistant where it came from. */
export function MessageView({ message, onBetter }: { message: Message; onBetter: () => void }) {
  if (message.role === 'system') {
    return (
      <p class="message-event">
        {message.event ? say(`event.${message.event}`, { name: message.agent_id || say('person') }) : message.content}{' '}
        <When at={message.timestamp} />
        {message.note && <span> · {message.note === 'idle' ? say('idle') : message.note}</span>}
      </p>
    )
  }
  return (
    <article class={`message ${message.role}`} aria-label={speakerOf(message)}>
      <MessageText message={message} />
      <div class="message-about">
        <span>{speakerOf(message)}</span>
        <When at={message.timestamp} />
        {message.guest && <span>{say('guest')}</span>}
        {message.interrupted && <span>{say('interrupted')}</span>}
        {message.delivery && (
          <span title={message.delivery.error ?? undefined}>{say(`delivery.${message.delivery.state}`)}</span>
        )}
        {message.sources?.map(({ source, score }) => (
          <span key={source} class="number">
            {source} {formatShare(score)}
          </span>
        ))}
        {message.trace_id && (
          <a class="message-do" href={to('traces', message.trace_id)}>
            {say('trace')}
          </a>
        )}
        {message.role === 'assistant' && (
          <button type="button" class="message-do" onClick={onBetter}>
            {say('better')}
          </button>
        )}
      </div>
    </article>
  )
}

/** Replies of the assistant as the customer sees them; what people wrote as they wrote it. */
function MessageText({ message: { role, content, sources } }: { message: Message }) {
  if (role !== 'assistant') return <div class="message-text pre">{content}</div>
  // Its sources stand below it.
  const text = sources?.length ? withoutSources(content) : content
  return (
    <div class="message-text">
      <Markdown text={text} />
    </div>
  )
}

function speakerOf({ role, agent_id: agent }: Message): string {
  if (role === 'user') return say('customer')
  if (role === 'assistant') return say('assistant')
  return agent === agentName.value ? say('you') : agent || say('person')
}
