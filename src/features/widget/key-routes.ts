import { noteChange } from '../../http/changes.ts'
import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { AppError } from '../../kernel/errors.ts'
import { normaliseOrigin } from './origins.ts'
import { presentWidget } from './present.ts'
import type { StoredWidget } from './queries.ts'
import {
  ChangeWidgetBody,
  GraceBody,
  NewWidgetBody,
  NewWidgetResult,
  type Settings,
  WidgetBody,
  WidgetList,
  WidgetParams,
} from './schemas.ts'
import type { WidgetSettings } from './types.ts'
import type { Widgets } from './widgets.ts'

const NOTHING = { zh: '', en: '' }
const DEFAULTS: WidgetSettings = {
  title: NOTHING,
  greeting: NOTHING,
  starters: { zh: [], en: [] },
  notice: NOTHING,
  colour: '',
  position: 'right',
  languages: ['zh', 'en'],
  showsSources: true,
  allowsAttachments: true,
  offersPerson: true,
  asksForRating: true,
  requiresIdentity: false,
}

const WIDGETS = '/api/v1/settings/widgets'
const tags = ['settings']

/** Public keys of widgets: made, listed, changed, rotated and revoked. */
export function widgetKeyRoutes(app: App, { widgets }: { widgets: Widgets }): void {
  listRoutes(app, widgets)
  changeRoutes(app, widgets)
  rotateRoutes(app, widgets)
}

function listRoutes(app: App, widgets: Widgets): void {
  app.get(
    WIDGETS,
    { schema: { summary: 'Widgets, the newest first', tags, response: { 200: WidgetList, ...errors(401, 403) } } },
    async () => ({ widgets: widgets.list().map(presentWidget) }),
  )

  app.get(
    `${WIDGETS}/:widget_id`,
    {
      schema: {
        summary: 'A widget',
        tags,
        params: WidgetParams,
        response: { 200: WidgetBody, ...errors(401, 403, 404) },
      },
    },
    async ({ params }) => {
      const found = widgets.list().find(({ widgetId }) => widgetId === params.widget_id)
      if (!found) throw new AppError('not_found', 'widget', `No widget has the id ${params.widget_id}`)
      return presentWidget(found)
    },
  )

  app.post(
    WIDGETS,
    {
      schema: {
        summary: 'Make a widget with a public key',
        description:
          "The key goes into pages of the shop. `identity_secret` is for the shop's server alone and shown this once.",
        tags,
        body: NewWidgetBody,
        response: { 201: NewWidgetResult, ...errors(401, 403, 422) },
      },
    },
    async (request, reply) => {
      const { name, allowed_origins, settings } = request.body
      const made = await widgets.add({
        name: nameOf(name),
        allowedOrigins: originsOf(allowed_origins),
        settings: { ...DEFAULTS, ...fieldsOf(settings) },
      })
      noteChange(request, { after: presentWidget(made) })
      reply.code(201)
      return withSecret(made)
    },
  )
}

function changeRoutes(app: App, widgets: Widgets): void {
  app.put(
    `${WIDGETS}/:widget_id`,
    {
      schema: {
        summary: 'Change a widget',
        description: 'Fields that are left out stay as they are, also those of `settings`. At once, on every replica.',
        tags,
        params: WidgetParams,
        body: ChangeWidgetBody,
        response: { 200: WidgetBody, ...errors(401, 403, 404, 409, 422) },
      },
    },
    async (request) => {
      const { name, allowed_origins, settings } = request.body
      const origins = allowed_origins && originsOf(allowed_origins)
      const { before, after } = await widgets.change(request.params.widget_id, (widget) => ({
        ...(name !== undefined && { name: nameOf(name) }),
        ...(origins && { allowedOrigins: origins }),
        ...(settings && { settings: { ...widget.settings, ...fieldsOf(settings) } }),
      }))
      noteChange(request, { before: presentWidget(before), after: presentWidget(after) })
      return presentWidget(after)
    },
  )

  app.delete(
    `${WIDGETS}/:widget_id`,
    {
      schema: {
        summary: 'Revoke a widget for ever',
        description: 'Its key and the tokens of its sessions stop working at once. Conversations stay.',
        tags,
        params: WidgetParams,
        response: { 200: WidgetBody, ...errors(401, 403, 404, 409) },
      },
    },
    async (request) => {
      const { before, after } = await widgets.revoke(request.params.widget_id)
      noteChange(request, { before: presentWidget(before), after: presentWidget(after) })
      return presentWidget(after)
    },
  )
}

function rotateRoutes(app: App, widgets: Widgets): void {
  app.post(
    `${WIDGETS}/:widget_id/rotate`,
    {
      schema: {
        summary: 'Give a widget a new public key',
        description: 'Pages may have the key before for `grace_hours` more. Sessions go on.',
        tags,
        params: WidgetParams,
        body: GraceBody,
        response: { 200: WidgetBody, ...errors(401, 403, 404, 409, 422) },
      },
    },
    async (request) => {
      const { before, after } = await widgets.rotateKey(request.params.widget_id, request.body.grace_hours)
      noteChange(request, { before: presentWidget(before), after: presentWidget(after) })
      return presentWidget(after)
    },
  )

  app.post(
    `${WIDGETS}/:widget_id/rotate-secret`,
    {
      schema: {
        summary: 'Give a widget a new secret for signing customers',
        description: 'What is signed with the secret before is taken for `grace_hours` more. Shown this once.',
        tags,
        params: WidgetParams,
        body: GraceBody,
        response: { 200: NewWidgetResult, ...errors(401, 403, 404, 409, 422) },
      },
    },
    async (request) => {
      const { after } = await widgets.rotateSecret(request.params.widget_id, request.body.grace_hours)
      noteChange(request, { after: presentWidget(after) })
      return withSecret(after)
    },
  )
}

function withSecret(widget: StoredWidget) {
  return { ...presentWidget(widget), identity_secret: widget.identitySecret }
}

function nameOf(name: string): string {
  if (name.trim() === '') throw new AppError('invalid', 'validation', 'name: must not be blank')
  return name.trim()
}

function originsOf(given: readonly string[]): string[] {
  const origins = given.map((each, index) => {
    const origin = normaliseOrigin(each)
    if (origin) return origin
    const form = 'must be an origin such as https://shop.example or https://*.shop.example'
    throw new AppError('invalid', 'validation', `allowed_origins.${index}: ${form}`)
  })
  return [...new Set(origins)]
}

const FIELDS = {
  shows_sources: 'showsSources',
  allows_attachments: 'allowsAttachments',
  offers_person: 'offersPerson',
  asks_for_rating: 'asksForRating',
  requires_identity: 'requiresIdentity',
} as const

/** Settings under the names that they have here. */
function fieldsOf(settings: Partial<Settings> = {}): Partial<WidgetSettings> {
  const entries = Object.entries(settings).map(([name, value]) => [FIELDS[name as keyof typeof FIELDS] ?? name, value])
  return Object.fromEntries(entries) as Partial<WidgetSettings>
}
