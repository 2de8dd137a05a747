import { noteChange } from '../../../http/changes.ts'
import { errors } from '../../../http/schemas.ts'
import type { App } from '../../../http/server.ts'
import { toSnakeCase } from '../../../kernel/snake-case.ts'
import { SessionParams } from '../../sessions/index.ts'
import {
  LabelBody,
  LabelChangeBody,
  LabelParams,
  LabelsBody,
  NewLabelBody,
  RemovedLabelBody,
  SessionLabelsBody,
  SetLabelsBody,
} from './schemas.ts'
import type { Labels } from './service.ts'
import type { Colour } from './types.ts'

const tags = ['agent-assist']
const LABELS = '/api/v1/agent/labels'
const OF_SESSION = '/api/v1/agent/sessions/:session_id/labels'

export function labelRoutes(app: App, { labels }: { labels: Labels }): void {
  listRoutes(app, labels)
  oneRoutes(app, labels)
  sessionRoutes(app, labels)
}

function listRoutes(app: App, labels: Labels): void {
  app.get(
    LABELS,
    {
      schema: {
        summary: 'Labels for conversations, by name',
        description: 'All of them, 500 at most.',
        tags,
        response: { 200: LabelsBody, ...errors(401, 403) },
      },
    },
    async () => ({ labels: toSnakeCase(await labels.list()) }),
  )

  app.post(
    LABELS,
    {
      schema: {
        summary: 'Make a label',
        tags,
        body: NewLabelBody,
        response: { 201: LabelBody, ...errors(401, 403, 409, 422) },
      },
    },
    async (request, reply) => {
      const { name, colour = 'grey' } = request.body
      const label = toSnakeCase(await labels.add({ name: name.trim(), colour }))
      noteChange(request, { subject: `label:${label.label_id}`, after: label })
      return reply.status(201).send(label)
    },
  )
}

function oneRoutes(app: App, labels: Labels): void {
  app.put(
    `${LABELS}/:label_id`,
    {
      schema: {
        summary: 'Change the name or colour of a label',
        description: 'On all conversations that have it.',
        tags,
        params: LabelParams,
        body: LabelChangeBody,
        response: { 200: LabelBody, ...errors(401, 403, 404, 409, 422) },
      },
    },
    async (request) => {
      const { before, after } = await labels.change(request.params.label_id.trim(), changeOf(request.body))
      noteChange(request, { before: toSnakeCase(before), after: toSnakeCase(after) })
      return toSnakeCase(after)
    },
  )

  app.delete(
    `${LABELS}/:label_id`,
    {
      schema: {
        summary: 'Remove a label, from all conversations too',
        tags,
        params: LabelParams,
        response: { 200: RemovedLabelBody, ...errors(401, 403, 404, 422) },
      },
    },
    async (request) => {
      const label = await labels.remove(request.params.label_id.trim())
      noteChange(request, { before: toSnakeCase(label) })
      return { label_id: label.labelId, deleted: true }
    },
  )
}

function sessionRoutes(app: App, labels: Labels): void {
  app.get(
    OF_SESSION,
    {
      schema: {
        summary: 'Labels of a conversation',
        tags,
        params: SessionParams,
        response: { 200: SessionLabelsBody, ...errors(401, 403, 404, 422) },
      },
    },
    async ({ params }) => {
      const sessionId = params.session_id.trim()
      return { session_id: sessionId, labels: toSnakeCase(await labels.of(sessionId)) }
    },
  )

  app.put(
    OF_SESSION,
    {
      schema: {
        summary: 'Set the labels of a conversation',
        description: 'These and no others. The event `labels` tells the desk where something changed.',
        tags,
        params: SessionParams,
        body: SetLabelsBody,
        response: { 200: SessionLabelsBody, ...errors(401, 403, 404, 422) },
      },
    },
    async (request) => {
      const sessionId = request.params.session_id.trim()
      const { before, after } = await labels.relabel(sessionId, { set: request.body.label_ids })
      const names = (of: readonly { name: string }[]) => ({ labels: of.map(({ name }) => name) })
      noteChange(request, { before: names(before), after: names(after) })
      return { session_id: sessionId, labels: toSnakeCase(after) }
    },
  )
}

function changeOf({ name, colour }: { name?: string; colour?: Colour }): { name?: string; colour?: Colour } {
  return { ...(name !== undefined && { name: name.trim() }), ...(colour !== undefined && { colour }) }
}
