import type { Static } from 'typebox'
import { noteChange } from '../../http/changes.ts'
import { readId } from '../../http/ids.ts'
import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { toSnakeCase } from '../../kernel/snake-case.ts'
import { AssignmentBody, RemovedBody, StoredTeam, TeamBody, TeamParams, TeamsBody } from './schemas.ts'
import type { Assignment } from './service.ts'
import { DEFAULTS, type Team } from './types.ts'

const SETTINGS = '/api/v1/settings/assignment'
const TEAMS = '/api/v1/agent/teams'

export function assignmentRoutes(app: App, { assignment }: { assignment: Assignment }): void {
  settingRoutes(app, assignment)
  teamRoutes(app, assignment)
}

function settingRoutes(app: App, assignment: Assignment): void {
  const tags = ['settings']
  app.get(
    SETTINGS,
    {
      schema: {
        summary: 'How calls find their people, and how long customers should wait',
        tags,
        response: { 200: AssignmentBody, ...errors(401, 403) },
      },
    },
    async () => present(assignment),
  )

  app.put(
    SETTINGS,
    {
      schema: {
        summary: 'Set how calls find their people, and how long customers should wait',
        description: 'Both are off until set. At once, on every replica.',
        tags,
        body: AssignmentBody,
        response: { 200: AssignmentBody, ...errors(401, 403, 422) },
      },
    },
    async (request) => {
      const { mode, max_open_sessions: maxOpenSessions = DEFAULTS.maxOpenSessions, targets = {} } = request.body
      const before = present(assignment)
      const by = request.caller.person?.name ?? request.caller.name
      await assignment.set({ mode, maxOpenSessions, targets }, by)
      noteChange(request, { subject: 'assignment', before, after: present(assignment) })
      return present(assignment)
    },
  )
}

function teamRoutes(app: App, assignment: Assignment): void {
  const tags = ['agent-assist']
  app.get(
    TEAMS,
    { schema: { summary: 'Teams, and whose calls are theirs', tags, response: { 200: TeamsBody, ...errors(401) } } },
    async () => ({ teams: (await assignment.teams()).map((team) => toSnakeCase(team)) }),
  )

  app.post(
    TEAMS,
    {
      schema: {
        summary: 'Add a team',
        description:
          'Calls on its channels and in its languages go to its members; calls that no team is for go to everybody.',
        tags,
        body: TeamBody,
        response: { 201: StoredTeam, ...errors(401, 403, 409, 422) },
      },
    },
    async (request, reply) => {
      const team = toSnakeCase(await assignment.save(toTeam(request.body), null))
      noteChange(request, { subject: `team:${team.team_id}`, after: team })
      reply.code(201)
      return team
    },
  )

  app.put(
    `${TEAMS}/:team_id`,
    {
      schema: {
        summary: 'Change a team',
        tags,
        params: TeamParams,
        body: TeamBody,
        response: { 200: StoredTeam, ...errors(401, 403, 404, 409, 422) },
      },
    },
    async (request) => {
      const before = toSnakeCase(await assignment.find(request.params.team_id))
      const team = toSnakeCase(await assignment.save(toTeam(request.body), request.params.team_id))
      noteChange(request, { before, after: team })
      return team
    },
  )

  app.delete(
    `${TEAMS}/:team_id`,
    {
      schema: {
        summary: 'Remove a team',
        tags,
        params: TeamParams,
        response: { 200: RemovedBody, ...errors(401, 403, 404, 422) },
      },
    },
    async (request) => {
      noteChange(request, { before: toSnakeCase(await assignment.remove(request.params.team_id)) })
      return { done: true }
    },
  )
}

function toTeam({ name, members, channels = [], languages = [] }: Static<typeof TeamBody>): Omit<Team, 'teamId'> {
  return {
    name: name.trim(),
    members: [...new Set(members.map((member) => readId('members', member)))],
    channels: [...new Set(channels)],
    languages: [...new Set(languages)],
  }
}

function present(assignment: Pick<Assignment, 'settings'>) {
  const { mode, maxOpenSessions, targets } = assignment.settings()
  return { mode, max_open_sessions: maxOpenSessions, targets }
}
