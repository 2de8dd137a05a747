import { noteChange } from '../../http/changes.ts'
import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { readHours, writeHours } from './read-hours.ts'
import { HoursBody, HoursNowBody, StoredHoursBody } from './schemas.ts'
import type { WorkingHours } from './service.ts'

const HOURS = '/api/v1/settings/hours'

export function hoursRoutes(app: App, { hours }: { hours: WorkingHours }): void {
  settingRoutes(app, hours)
  app.get(
    '/api/v1/agent/hours',
    {
      schema: {
        summary: 'Whether people are there now, and when that changes',
        tags: ['agent-assist'],
        response: { 200: HoursNowBody, ...errors(401) },
      },
    },
    async () => {
      const state = hours.state()
      return {
        configured: state !== null,
        open_now: state?.isOpen ?? true,
        next_open: state?.opensAt?.toISOString() ?? null,
        next_close: state?.closesAt?.toISOString() ?? null,
        messages: hours.closedTexts(),
      }
    },
  )
}

function settingRoutes(app: App, hours: WorkingHours): void {
  const tags = ['settings']
  app.get(
    HOURS,
    {
      schema: { summary: 'The working hours', tags, response: { 200: StoredHoursBody, ...errors(401, 403) } },
    },
    async () => present(hours),
  )

  app.put(
    HOURS,
    {
      schema: {
        summary: 'Set the working hours',
        description:
          'Outside them a customer who calls a person is told when people are back, and waits: the time after which a call ' +
          'goes back to the assistant counts within the hours alone. At once, on every replica.',
        tags,
        body: HoursBody,
        response: { 200: StoredHoursBody, ...errors(401, 403, 422) },
      },
    },
    async (request) => {
      const before = present(hours).hours
      await hours.set(readHours(request.body), request.caller.person?.name ?? request.caller.name)
      const after = present(hours)
      noteChange(request, { subject: 'hours', before, after: after.hours })
      return after
    },
  )

  app.delete(
    HOURS,
    {
      schema: { summary: 'Have no working hours', tags, response: { 200: StoredHoursBody, ...errors(401, 403) } },
    },
    async (request) => {
      noteChange(request, { subject: 'hours', before: present(hours).hours })
      await hours.remove()
      return present(hours)
    },
  )
}

function present(hours: WorkingHours) {
  const stored = hours.current()
  return {
    configured: stored !== undefined,
    hours: stored ? writeHours(stored.hours) : null,
    updated_by: stored?.updatedBy ?? null,
    updated_at: stored?.updatedAt.toISOString() ?? null,
  }
}
