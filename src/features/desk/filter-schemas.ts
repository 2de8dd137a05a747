import { type Static, Type } from 'typebox'
import { readId } from '../../http/ids.ts'
import { periodFields, readPeriod } from '../../http/period.ts'
import { CHANNELS } from '../sessions/index.ts'
import type { DeskFilter } from './types.ts'

const STATUSES = ['pending', 'assigned', 'resolved', 'none'] as const

/** Of a query: which conversations, in lists and in exports alike. */
export const filterFields = {
  status: Type.Optional(
    Type.Unsafe<(typeof STATUSES)[number]>({
      type: 'string',
      enum: [...STATUSES],
      description: '`none`: with the assistant; left out: all',
    }),
  ),
  agent_id: Type.Optional(Type.String({ maxLength: 200, description: 'Who has it, or had it when it was resolved' })),
  channel: Type.Optional(Type.Unsafe<(typeof CHANNELS)[number]>({ type: 'string', enum: [...CHANNELS] })),
  user_id: Type.Optional(Type.String({ maxLength: 200 })),
  label: Type.Optional(Type.String({ maxLength: 200, description: 'A `label_id`', examples: ['label_5b1e77'] })),
  ...periodFields,
}

const FilterQuery = Type.Object(filterFields)

/** Throws invalid for an id that is none, and bad_request for a period that is none. */
export function filterOf(query: Static<typeof FilterQuery>): DeskFilter {
  const { status, agent_id: agentId, channel, user_id: userId, label } = query
  return {
    ...(status !== undefined && { status }),
    ...(agentId !== undefined && { agentId: readId('agent_id', agentId) }),
    ...(channel !== undefined && { channel }),
    ...(userId !== undefined && { user: { id: readId('user_id', userId), channels: CHANNELS } }),
    ...(label !== undefined && { labelId: label.trim() }),
    ...readPeriod(query),
  }
}
