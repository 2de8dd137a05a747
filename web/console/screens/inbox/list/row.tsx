import { formatDuration } from '../../../../shared/words.ts'
import { agentName } from '../../../shell/session.ts'
import { nameOf, toneOf } from '../../../ui/names.ts'
import { Tag } from '../../../ui/tag.tsx'
import { Ago, now } from '../../../ui/time.tsx'
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

function Waiting({ row }: { row: SessionRow }) {
  if (!row.waiting_since) {
    return (
      <span class="second small">
        <Ago at={row.updated_at} />
      </span>
    )
  }
  const seconds = Math.max(0, Math.floor((now.value - Date.parse(row.waiting_since)) / 1000))
  return (
    <span
      class={`small number ${row.overdue ? 'inbox-overdue' : 'second'}`}
      title={row.overdue ? say('overdue') : undefined}
    >
      {say('waits', { time: formatDuration(seconds) })}
    </span>
  )
}
