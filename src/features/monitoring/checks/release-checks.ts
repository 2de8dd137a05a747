import { readFile } from 'node:fs/promises'
import { BUILT_IN_PREFIX } from '../../../ai/embedder/built-in.ts'
import { AppError } from '../../../kernel/errors.ts'
import { keptFresh } from '../../../kernel/shared-reading.ts'
import type { BreakerStats } from '../../../platform/breaker.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/postgres/index.ts'
import type { ReleaseCheck } from './checklist.ts'
import type { HealthCheck } from './health.ts'
import { hasChunks, readVectorState } from './queries.ts'

/** The newest evaluation; null: none was ever run. */
export type LatestEvaluation = () => Promise<{ recallAt5: number; createdAt: Date } | null>

export interface ReleaseSources {
  settings: {
    API_KEY: string
    FILE_ROOTS: string
    /** Whether the groups that the contract leaves open answer without a key. */
    OPEN_GROUPS: boolean
    HOT_QUESTION_MIN_SESSIONS: number
    /** 0: for ever. */
    CONVERSATION_RETENTION_DAYS: number
    /** File or address of what says how backups are made and restored; empty: nobody wrote it down. */
    BACKUP_DOCUMENT: string
  }
  db: Database
  clock: Clock
  /** Those of the health report, of which some must be well. */
  health: readonly HealthCheck[]
  /** Those of the file of keys; undefined: there is no such file. */
  namedKeys: () => readonly { expiresAt: Date | null }[] | undefined
  breakers: { stats(): Record<string, Pick<BreakerStats, 'state'>> }
  alerts: { countOpen(level: 'critical'): Promise<number> }
  latestEvaluation: LatestEvaluation
}

/** Every vector is looked at, and anybody may ask. */
const FRESH_MS = 60_000
/** Fewer than this many sessions are perhaps one person. */
const MIN_ASKING_SESSIONS = 3
const MIN_RECALL = 0.8
const EVALUATION_MAX_AGE_DAYS = 7
const DAY_MS = 86_400_000
const MIN_KEY_CHARACTERS = 16
const MIN_DOCUMENT_CHARACTERS = 100
/** The longest retention that can be set. */
const MAX_DAYS = 36_500

/** The checks of `GET /operations/release-checklist`, in its order. */
export function releaseChecks(sources: ReleaseSources): ReleaseCheck[] {
  const { health } = sources
  return [
    healthy('database', health),
    healthy('migrations', health),
    healthy('extensions', health),
    ...settingChecks(sources),
    ...contentChecks(sources),
    healthy('llm', health, 'model', 'The model: '),
    ...stateChecks(sources),
    healthy('disk', health, 'disk_space', 'Only '),
  ]
}

/** Findings of the health report that must be well, or absent. */
function healthy(of: string, health: ReleaseSources['health'], name = of, prefix = ''): ReleaseCheck {
  const own = health.find((each) => each.name === of)
  return check(name, async () => {
    const { status, message } = (await own?.run()) ?? { status: 'unhealthy', message: 'it is not checked' }
    demand(status === 'healthy' || status === 'not_configured', prefix + message)
  })
}

function settingChecks({ settings, clock, namedKeys }: ReleaseSources): ReleaseCheck[] {
  const { API_KEY, FILE_ROOTS, OPEN_GROUPS, CONVERSATION_RETENTION_DAYS, BACKUP_DOCUMENT } = settings
  const { HOT_QUESTION_MIN_SESSIONS } = settings
  return [
    check('api_key', () => {
      const keys = namedKeys()
      const isValid = ({ expiresAt }: { expiresAt: Date | null }) => !expiresAt || expiresAt.getTime() > clock.now()
      demand(API_KEY !== '' || keys !== undefined, 'API_KEY is empty: no authentication')
      demand(API_KEY !== '' || keys?.some(isValid), 'API_KEYS_FILE holds no valid key')
      const isLong = API_KEY === '' || API_KEY.length >= MIN_KEY_CHARACTERS
      demand(isLong, `API_KEY is shorter than ${MIN_KEY_CHARACTERS} characters`)
    }),
    check('file_roots', () =>
      demand(FILE_ROOTS !== '', 'FILE_ROOTS is empty: requests may name files of nearly any folder'),
    ),
    check('open_groups', () => {
      const why = 'OPEN_GROUPS is true: dashboard, metrics, traces and alerts answer whoever reaches this address'
      demand(!OPEN_GROUPS, `${why}; on anything public false is advised`)
    }),
    check('hot_questions', () => {
      const why = `HOT_QUESTION_MIN_SESSIONS is ${HOT_QUESTION_MIN_SESSIONS}: the open dashboard may show what one person asked`
      demand(
        !OPEN_GROUPS || HOT_QUESTION_MIN_SESSIONS >= MIN_ASKING_SESSIONS,
        `${why}; ${MIN_ASKING_SESSIONS} is advised`,
      )
    }),
    check('conversation_retention', () => {
      const why = 'CONVERSATION_RETENTION_DAYS is 0: conversations are kept until somebody erases them'
      demand(CONVERSATION_RETENTION_DAYS > 0, `${why}. Decide how long; ${MAX_DAYS} says that they are meant to stay`)
    }),
    check('backups_documented', async () => {
      demand(BACKUP_DOCUMENT !== '', 'BACKUP_DOCUMENT is empty: name what says how backups are made and restored')
      if (/^https?:\/\//.test(BACKUP_DOCUMENT)) return
      const text = await readFile(BACKUP_DOCUMENT, 'utf8').catch(() => fail('BACKUP_DOCUMENT cannot be read'))
      demand(text.trim().length >= MIN_DOCUMENT_CHARACTERS, 'BACKUP_DOCUMENT says next to nothing')
    }),
  ]
}

function contentChecks({ db, clock, latestEvaluation }: ReleaseSources): ReleaseCheck[] {
  const vectorState = keptFresh(() => readVectorState(db.executor, BUILT_IN_PREFIX), {
    freshMs: FRESH_MS,
    now: () => clock.now(),
  })
  return [
    check('knowledge_base', async () => demand(await hasChunks(db.executor), 'The knowledge base is empty')),
    check('embeddings', async () => {
      const { dimensions, missing } = await vectorState()
      demand(dimensions.length <= 1, `Vectors of different lengths are served: ${dimensions.join(', ')}`)
      demand(missing === 0, `${missing} passages have no vector yet`)
    }),
    check('evaluation', async () => {
      const latest = await latestEvaluation()
      if (!latest) return fail('No evaluation was ever run: POST /api/v1/evaluation/run')
      const days = (clock.now() - latest.createdAt.getTime()) / DAY_MS
      demand(days <= EVALUATION_MAX_AGE_DAYS, `The last evaluation is ${Math.floor(days)} days old`)
      demand(latest.recallAt5 >= MIN_RECALL, `recall@5 is ${latest.recallAt5.toFixed(2)}, below ${MIN_RECALL}`)
    }),
  ]
}

function stateChecks({ breakers, alerts }: ReleaseSources): ReleaseCheck[] {
  return [
    check('circuit_breakers', () => {
      const open = Object.entries(breakers.stats()).filter(([, { state }]) => state !== 'CLOSED')
      demand(open.length === 0, `Not closed: ${open.map(([name]) => name).join(', ')}`)
    }),
    check('critical_alerts', async () => {
      const count = await alerts.countOpen('critical')
      demand(count === 0, `${count} critical ${count === 1 ? 'alert is' : 'alerts are'} open`)
    }),
  ]
}

function check(name: string, run: ReleaseCheck['run']): ReleaseCheck {
  return { name, run }
}

function demand(condition: boolean | undefined, why: string): void {
  if (!condition) fail(why)
}

function fail(why: string): never {
  throw new AppError('conflict', 'release_check', why)
}
