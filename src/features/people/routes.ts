import type { Static } from 'typebox'
import { callerAddress } from '../../http/addresses.ts'
import { anybody, canDo, open } from '../../http/auth.ts'
import { noteChange } from '../../http/changes.ts'
import { readPeriod } from '../../http/period.ts'
import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { clearSessionCookie, readSessionToken, setSessionCookie } from '../../http/session-cookie.ts'
import { AppError } from '../../kernel/errors.ts'
import { toSnakeCase } from '../../kernel/snake-case.ts'
import type { Credential } from './log-ins.ts'
import {
  AddedBody,
  AuditBody,
  AuditQuery,
  CallerBody,
  DoneBody,
  LogInBody,
  LogInParams,
  LogInsBody,
  LogInsQuery,
  MemberBody,
  MemberChangeBody,
  NewMemberBody,
  PasswordBody,
  PeopleBody,
  PersonParams,
  ResetBody,
} from './schemas.ts'
import { assertKeyed, type People } from './service.ts'
import type { AuditEntry, Member } from './types.ts'

const tags = ['console']
const CONSOLE = '/api/v1/console'
const DONE = { done: true }

export function peopleRoutes(app: App, { people }: { people: People }): void {
  sessionRoutes(app, people)
  ownRoutes(app, people)
  memberRoutes(app, people)
  auditRoute(app, people)
}

/** Logging in and out. */
function sessionRoutes(app: App, people: People): void {
  const path = `${CONSOLE}/session`
  app.get(
    path,
    {
      config: open,
      schema: {
        summary: 'Who asks, and what they may do',
        description: 'Answers everybody: a console asks it first.',
        tags,
        response: { 200: CallerBody },
      },
    },
    async ({ caller }) => {
      const isKnown = caller.name !== null || people.isKeyless
      const member = caller.person && (await people.find(caller.person.name))
      return {
        authenticated: isKnown,
        mode: people.isKeyless ? ('keyless' as const) : ('log_in' as const),
        name: caller.name,
        person: caller.person && toSnakeCase(caller.person),
        scopes: [...caller.scopes],
        must_change_password: member?.mustChangePassword ?? false,
        setup_needed: !people.isKeyless && (await people.count()) === 0,
      }
    },
  )

  app.post(
    path,
    {
      config: open,
      schema: {
        summary: 'Log in, with name and password or with a key',
        description:
          'Sets a cookie that scripts cannot read, for 7 days at most, and counts as a key within the role. Changes by ' +
          'cookie need an `Origin` of our own. After several failures the next one has to wait (429).',
        tags,
        body: LogInBody,
        response: { 200: DoneBody, ...errors(401, 409, 422, 429) },
      },
    },
    async (request, reply) => {
      assertKeyed(people.isKeyless)
      const credential = credentialOf(request.body)
      const place = { address: callerAddress(request), userAgent: request.headers['user-agent'] ?? '' }
      const { token, maxAgeSeconds } = await people.logIns.enter(credential, place)
      setSessionCookie(request, reply, token, maxAgeSeconds)
      return DONE
    },
  )

  app.delete(
    path,
    {
      config: { ...open, isChange: false },
      schema: { summary: 'Log out', tags, response: { 200: DoneBody } },
    },
    async (request, reply) => {
      const token = readSessionToken(request.headers.cookie)
      if (token !== null) await people.logIns.leave(token)
      clearSessionCookie(request, reply)
      return DONE
    },
  )
}

/** Exactly one way to say who one is. */
function credentialOf({ name, password, key, code }: Static<typeof LogInBody>): Credential {
  const given = [name !== undefined || password !== undefined, key !== undefined, code !== undefined].filter(Boolean)
  if (given.length !== 1) throw new AppError('invalid', 'validation', 'name: give name and password, or key, or code')
  if (key !== undefined) return { key }
  if (code !== undefined) return { code }
  if (name === undefined || name.trim() === '') throw new AppError('invalid', 'validation', 'name: is required')
  if (password === undefined || password === '') throw new AppError('invalid', 'validation', 'password: is required')
  return { name, password }
}

/** Own matters of everybody who is logged in. */
function ownRoutes(app: App, people: People): void {
  app.put(
    `${CONSOLE}/password`,
    {
      config: anybody,
      schema: {
        summary: 'Change one’s own password',
        description: 'All other log-ins of the person end.',
        tags,
        body: PasswordBody,
        response: { 200: DoneBody, ...errors(401, 409, 422, 429) },
      },
    },
    async (request) => {
      const { caller, body, headers } = request
      const token = readSessionToken(headers.cookie)
      if (!caller.person || token === null) throw new AppError('conflict', 'no_person', 'Only people have a password')
      const who = { name: caller.person.name, address: callerAddress(request), token }
      await people.changePassword(who, { current: body.current_password, next: body.new_password })
      noteChange(request, { subject: `person:${who.name}` })
      return DONE
    },
  )

  app.get(
    `${CONSOLE}/sessions`,
    {
      config: anybody,
      schema: {
        summary: 'Browsers that are logged in',
        tags,
        querystring: LogInsQuery,
        response: { 200: LogInsBody, ...errors(401, 403, 422) },
      },
    },
    async (request) => {
      const { caller, query } = request
      if (query.all && !canDo(request, 'admin')) {
        throw new AppError('forbidden', 'role', 'all: only admins see the log-ins of others')
      }
      const whose = query.all || !caller.person ? null : caller.person.name
      if (whose === null && !canDo(request, 'admin')) return { log_ins: [] }
      return { log_ins: toSnakeCase(await people.logIns.list(whose)) }
    },
  )

  app.delete(
    `${CONSOLE}/sessions/:log_in_id`,
    {
      config: anybody,
      schema: {
        summary: 'End a log-in',
        description: 'One’s own, or as an admin anybody’s.',
        tags,
        params: LogInParams,
        response: { 200: DoneBody, ...errors(401, 404, 422) },
      },
    },
    async (request) => {
      const whose = canDo(request, 'admin') ? null : (request.caller.person?.name ?? '')
      await people.logIns.revoke(request.params.log_in_id, whose)
      return DONE
    },
  )
}

function memberRoutes(app: App, people: People): void {
  const path = `${CONSOLE}/people`
  app.get(
    path,
    {
      schema: { summary: 'People who work with the service', tags, response: { 200: PeopleBody, ...errors(401, 403) } },
    },
    async () => ({ people: (await people.list()).map(presentMember) }),
  )

  app.post(
    path,
    {
      schema: {
        summary: 'Add a person',
        description: '409 where the name is taken, and while no key is set: then a log-in would protect nothing.',
        tags,
        body: NewMemberBody,
        response: { 201: AddedBody, ...errors(401, 403, 409, 422) },
      },
    },
    async (request, reply) => {
      const { display_name: displayName, ...rest } = request.body
      const { password, ...member } = await people.add({ ...rest, displayName })
      noteChange(request, { subject: `person:${member.name}`, after: presentMember(member) })
      reply.code(201)
      return { ...presentMember(member), ...(password !== undefined && { password }) }
    },
  )

  app.put(
    `${path}/:name`,
    {
      schema: {
        summary: 'Change what a person is called, may do, or whether they may log in',
        description: 'Takes effect with their next request. 409 where no admin would be left.',
        tags,
        params: PersonParams,
        body: MemberChangeBody,
        response: { 200: MemberBody, ...errors(401, 403, 404, 409, 422) },
      },
    },
    async (request) => {
      const { display_name: displayName, role, is_active: isActive } = request.body
      const change = {
        ...(displayName !== undefined && { displayName }),
        ...(role !== undefined && { role }),
        ...(isActive !== undefined && { isActive }),
      }
      const { before, after } = await people.change(request.params.name, change)
      noteChange(request, { before: presentMember(before), after: presentMember(after) })
      return presentMember(after)
    },
  )

  app.delete(
    `${path}/:name`,
    {
      schema: {
        summary: 'Remove a person',
        description: 'What they did keeps their name; `is_active` false keeps the person, too. 409 for the last admin.',
        tags,
        params: PersonParams,
        response: { 200: DoneBody, ...errors(401, 403, 404, 409, 422) },
      },
    },
    async (request) => {
      noteChange(request, { before: presentMember(await people.remove(request.params.name)) })
      return DONE
    },
  )

  app.post(
    `${path}/:name/password`,
    {
      schema: {
        summary: 'Give a person a new password, to be changed at the next log-in',
        description: 'All log-ins of the person end.',
        tags,
        params: PersonParams,
        response: { 200: ResetBody, ...errors(401, 403, 404, 422) },
      },
    },
    async ({ params: { name } }) => ({ name, password: await people.resetPassword(name) }),
  )
}

function auditRoute(app: App, people: People): void {
  app.get(
    `${CONSOLE}/audit`,
    {
      schema: {
        summary: 'What people changed, the newest first',
        description:
          'Every change that was made by log-in: who, what, before and after. Secrets and what people wrote are left out, ' +
          'personal values masked. Changes with `X-API-Key` stand in the log of the process.',
        tags,
        querystring: AuditQuery,
        response: { 200: AuditBody, ...errors(400, 401, 403, 422) },
      },
    },
    async ({ query }) => {
      const { from, to, ...filter } = query
      const entries = await people.audit({ ...filter, ...readPeriod(query) })
      const isFull = entries.length === filter.limit
      return { entries: entries.map(presentEntry), next_before: isFull ? (entries.at(-1)?.seq ?? null) : null }
    },
  )
}

/** The facts have the names that the request gave them. */
function presentEntry({ before, after, ...entry }: AuditEntry) {
  return { ...toSnakeCase(entry), before, after }
}

function presentMember(member: Member) {
  return toSnakeCase(member)
}
