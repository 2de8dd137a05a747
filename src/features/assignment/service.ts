import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { LiveEvents } from '../../platform/live-events.ts'
import type { Database } from '../../platform/postgres/index.ts'
import type { Handoff } from '../handoff/index.ts'
import { chooseFor } from './choose.ts'
import {
  countOverdue,
  deleteTeam,
  findSettings,
  findTeam,
  listCandidates,
  listTeams,
  saveSettings,
  saveTeam,
} from './queries.ts'
import { type AssignmentSettings, DEFAULTS, type Language, type Team } from './types.ts'

export interface AssignmentOptions {
  db: Database
  live: LiveEvents
  handoff: Pick<Handoff, 'pending' | 'accept' | 'latest'>
  languageOf(text: string): Language
  /** True once in a while on one replica, which then does the work of all. */
  isMyTurn(): Promise<boolean>
  /** Told how many customers wait for longer than they should. */
  onOverdue(count: number): void
  every(intervalMs: number, work: () => Promise<void>): { run(): Promise<void>; stop(): Promise<void> }
  log: Log<'warn'>
}

export type Assignment = Awaited<ReturnType<typeof createAssignment>>

const SWEEP_MS = 1_000
const FRESH_SECONDS = 60
const MAX_WAITING = 200
const TOPIC = 'assignment'

/** Conversations finding their people by themselves, and the time in which they should. Both are off until set. */
export async function createAssignment(options: AssignmentOptions) {
  const { db, live, handoff, log } = options
  const { executor } = db
  let settings = (await findSettings(executor)) ?? DEFAULTS
  const reload = (): void => {
    findSettings(executor)
      .then((found) => {
        settings = found ?? DEFAULTS
      })
      .catch((error: unknown) => log.warn({ err: error }, 'The settings of assignment could not be read anew'))
  }
  const unsubscribe = live.subscribe(TOPIC, reload, reload)

  /** Of all replicas one assigns, and one after the other, so nobody is given more than the limit. */
  async function assign(): Promise<void> {
    const teams = await listTeams(executor)
    const candidates = await listCandidates(executor, FRESH_SECONDS)
    if (candidates.length === 0) return
    for (const { sessionId, channel } of await handoff.pending(MAX_WAITING)) {
      const asked = await handoff.latest(sessionId, 'user')
      const waiting = { channel, language: options.languageOf(asked?.content ?? '') }
      const name = chooseFor(waiting, { teams, candidates, maxOpen: settings.maxOpenSessions })
      const chosen = candidates.find((each) => each.name === name)
      if (!chosen) continue
      await handoff.accept(sessionId, chosen.name).catch(unlessTaken)
      Object.assign(chosen, { openSessions: chosen.openSessions + 1, lastTakenAt: new Date() })
    }
  }

  const task = options.every(SWEEP_MS, async () => {
    const hasTargets = Object.keys(settings.targets).length > 0
    if (settings.mode === 'manual' && !hasTargets) return
    if (!(await options.isMyTurn())) return
    if (settings.mode === 'by_turn') await assign()
    options.onOverdue(hasTargets ? await countOverdue(executor, settings.targets) : 0)
  })

  return {
    settings: (): AssignmentSettings => settings,
    async set(next: AssignmentSettings, by: string | null): Promise<void> {
      await db.transaction(async (trx) => {
        await saveSettings(trx, next, by)
        await live.publish(trx, { topic: TOPIC, type: 'changed' })
      })
      settings = next
      if (Object.keys(next.targets).length === 0) options.onOverdue(0)
    },

    teams: (): Promise<Team[]> => listTeams(executor),
    /** Throws conflict where the name is taken, and not_found for a team that is not there. */
    async save(team: Omit<Team, 'teamId'>, teamId: string | null): Promise<Team> {
      if (teamId !== null) await findOr404(teamId)
      const saved = { ...team, teamId: teamId ?? newId('team') }
      if (await saveTeam(executor, saved)) return saved
      throw new AppError('conflict', 'team', `name: another team is called ${team.name}`)
    },
    /** Throws not_found. */
    find: (teamId: string): Promise<Team> => findOr404(teamId),
    async remove(teamId: string): Promise<Team> {
      return (await deleteTeam(executor, teamId)) ?? findOr404(teamId)
    },
    async close(): Promise<void> {
      unsubscribe()
      await task.stop()
    },
  }

  async function findOr404(teamId: string): Promise<Team> {
    const team = await findTeam(executor, teamId)
    if (!team) throw new AppError('not_found', 'team', `No team has the id ${teamId}`)
    return team
  }
}

/** Somebody took it by hand meanwhile, or the customer called it off. */
function unlessTaken(error: unknown): void {
  if (!(error instanceof AppError) || error.kind !== 'conflict') throw error
}
