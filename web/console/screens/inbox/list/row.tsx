import { formatDuration, formatTime } from '../../../../shared/words.ts'
import { agentName } from '../../../shell/session.ts'
import { nameOf, toneOf } from '../../../ui/names.ts'
import { Tag } from '../../../ui/tag.tsx'
import { now, When } from '../../../ui/time.tsx'
import { say } from '../words.ts'
import type { SessionRow } from './sessions.ts'

/** A conversation in the list: who, the last line, how long it waits and who has it. */
export function Row({ row, isChosen, address }: { row: SessionRow; isChosen: boolean; address: string }) {
  const line = row.match?.excerpt ?? row.last_message?.content ?? ''
  return (
    <a class={`inbox-row ${row.unread > 0 ? 'is-unread' : ''}`} href={address} aria-current={isChosen || undefined}>
      <span class="inbox-row-top">
        <span class="inbox-row-name clip grow">{row.user_id || say('visitor')}</span>
        <Waiting row={row} />
      </span>
      <span class="inbox-row-line clip">{line.replace(/\s+/g, ' ')}</span>
      <span class="inbox-row-tags">
        <Tag tone={toneOf.status[row.agent_status]}>{ownerOf(row)}</Tag>
        {(row.priority === 'high' || row.priority === 'urgent') && (
          <Tag tone={toneOf.priority[row.priority]}>{nameOf.priority(row.priority)}</Tag>
        )}
        {row.labels.slice(0, 2).map(({ label_id: id, name, colour }) => (
          <span key={id} class="label-tag" data-colour={colour}>
            {name}
          </span>
        ))}
        <span class="grow" />
        <span class="second small">{nameOf.channel(row.channel)}</span>
        {row.unread > 0 && (
          <span class="badge number" title={say('unread', { n: row.unread })}>
            {row.unread}
          </span>
        )}
      </span>
    </a>
  )
}

function ownerOf({ agent_status: status, agent_id: agent }: SessionRow): string {
  if (status !== 'assigned' || !agent) return nameOf.status(status)
  return agent === agentName.value ? say('you') : agent
}

/** From when on it is said that nobody takes a customer who waits, in seconds before it happens. */
const SOON = 300
/** Who has just taken a conversation need not be told that the customer waits. */
const PATIENCE = 60

function Waiting({ row }: { row: SessionRow }) {
  const seconds = row.waiting_since ? Math.max(0, Math.floor((now.value - Date.parse(row.waiting_since)) / 1000)) : 0
  const isQueued = row.agent_status === 'pending'
  if (!row.waiting_since || (!isQueued && seconds < PATIENCE)) {
    return (
      <span class="second small">
        <When at={row.updated_at} />
      </span>
    )
  }
  const left = row.returns_at ? Math.ceil((Date.parse(row.returns_at) - now.value) / 1000) : Number.POSITIVE_INFINITY
  const title = [
    row.overdue && say('overdue'),
    row.returns_at && say('returnsAt', { time: formatTime(row.returns_at) }),
  ].filter(Boolean)
  return (
    <span class={`small number ${row.overdue || left < SOON ? 'inbox-overdue' : 'second'}`} title={title.join(' · ')}>
      {left < SOON
        ? say('returnsIn', { time: formatDuration(Math.max(0, left)) })
        : say(isQueued ? 'waits' : 'unanswered', { time: formatDuration(seconds) })}
    </span>
  )
}
