import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { noteChange } from '../../http/changes.ts'
import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { snakeName, toSnakeCase } from '../../kernel/snake-case.ts'
import { AssistantBody, AssistantUpdate, HistoryBody, HistoryQuery, SettingsBody, UndoBody } from './schemas.ts'
import type { Assistant, AssistantView } from './service.ts'
import { ASSISTANT_FIELDS, type AssistantField, type AssistantSettings, type EffectiveSetting } from './types.ts'

const tags = ['settings']
const ASSISTANT = '/api/v1/settings/assistant'

export interface SettingsParts {
  assistant: Assistant
  effective: readonly EffectiveSetting[]
}

export function settingsRoutes(app: App, { assistant, effective }: SettingsParts): void {
  app.get(
    '/api/v1/settings',
    {
      schema: {
        summary: 'Every setting as it is in force',
        description:
          'Of a secret it is told whether it is set. Credentials within addresses are left out. All of them are read at the start; ' +
          'those with `change_at` may be overridden while the service runs.',
        tags,
        response: { 200: SettingsBody, ...errors(401, 403, 503) },
      },
    },
    async () => ({ settings: effective.map(present) }),
  )
  changeRoutes(app, assistant)
  historyRoutes(app, assistant)
}

function changeRoutes(app: App, assistant: Assistant): void {
  app.get(
    ASSISTANT,
    {
      schema: {
        summary: 'What the assistant is called, and how it speaks',
        tags,
        response: { 200: AssistantBody, ...errors(401, 403, 503) },
      },
    },
    async () => presentAssistant(assistant, assistant.current()),
  )

  app.put(
    ASSISTANT,
    {
      schema: {
        summary: 'Change any of the assistant’s settings',
        description:
          'Counts from the next turn on, on every replica. `model` and `temperature` are 409 without a model.',
        tags,
        body: AssistantUpdate,
        response: { 200: AssistantBody, ...errors(401, 403, 409, 422, 503) },
      },
    },
    async (request) => {
      const { reset = [], expected_version: expectedVersion } = request.body
      const by = authorOf(request)
      const update = { changes: changesOf(request.body), reset: reset.map(fieldOf), expectedVersion, by }
      return changed(request, assistant, await assistant.update(update))
    },
  )
}

function historyRoutes(app: App, assistant: Assistant): void {
  app.get(
    `${ASSISTANT}/history`,
    {
      schema: {
        summary: 'Changes of the assistant’s settings, newest first',
        tags,
        querystring: HistoryQuery,
        response: { 200: HistoryBody, ...errors(401, 403, 422, 503) },
      },
    },
    async ({ query: { limit, before = null } }) => ({ items: toSnakeCase(await assistant.history({ limit, before })) }),
  )

  app.post(
    `${ASSISTANT}/undo`,
    {
      schema: {
        summary: 'Bring an earlier version of the assistant’s settings back',
        description: 'Which is a change of its own: it can be undone as well. 409 while nothing was ever changed.',
        tags,
        body: UndoBody,
        response: { 200: AssistantBody, ...errors(401, 403, 404, 409, 422, 503) },
      },
    },
    async (request) => changed(request, assistant, await assistant.undo(request.body.to_version, authorOf(request))),
  )
}

function authorOf({ caller }: FastifyRequest): string | null {
  return caller.person?.name ?? caller.name
}

function changed(
  request: FastifyRequest,
  assistant: Assistant,
  { before, after }: Record<'before' | 'after', AssistantView>,
) {
  noteChange(request, {
    subject: 'settings:assistant',
    before: toSnakeCase(before.settings),
    after: toSnakeCase(after.settings),
  })
  return presentAssistant(assistant, after)
}

function changesOf(body: Static<typeof AssistantUpdate>): Partial<AssistantSettings> {
  const given = body as Record<string, unknown>
  const entries = ASSISTANT_FIELDS.map((name) => [name, given[snakeName(name)]]).filter(
    ([, value]) => value !== undefined,
  )
  return Object.fromEntries(entries)
}

function fieldOf(snake: string): AssistantField {
  return ASSISTANT_FIELDS.find((name) => snakeName(name) === snake) as AssistantField
}

function presentAssistant({ defaults, hasModel }: Assistant, { chosen, ...view }: AssistantView) {
  const sources = ASSISTANT_FIELDS.map((name) => [snakeName(name), chosen.includes(name) ? 'stored' : 'environment'])
  return { ...toSnakeCase({ ...view, defaults, hasModel }), sources: Object.fromEntries(sources) }
}

/** Settings of the environment that are defaults of what is set here. */
const OVERRIDABLE = new Set([
  'LLM_MODEL',
  'ASSISTANT_NAME',
  'ASSISTANT_PERSONA',
  'ASSISTANT_GREETING_EN',
  'ASSISTANT_GREETING_ZH',
])

function present(setting: EffectiveSetting) {
  return { ...toSnakeCase(setting), needs_restart: true, change_at: OVERRIDABLE.has(setting.name) ? ASSISTANT : null }
}
