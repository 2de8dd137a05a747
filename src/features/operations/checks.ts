import { keptFresh } from '../../kernel/kept-fresh.ts'
import type { BreakerStats } from '../../platform/breaker.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { hasChunks, readVectorState } from './queries.ts'
import { CheckFailure, type ReleaseCheck } from './release-checklist.ts'

export interface ChecklistOptions {
  db: Database
  clock: Clock
  pingDatabase: () => Promise<void>
  migrationStatus: () => Promise<{ expected: number; applied: number }>
  hasVectorExtension: () => Promise<boolean>
  apiKey: string
  /** Valid ones in the file of keys; null: there is no such file. */
  countNamedKeys: () => number | null
  fileRoots: string
  hotQuestionMinSessions: number
  /** 0: for ever. */
  conversationRetentionDays: number
  /** Null: none is configured, and replies are extractive. */
  probeModel: (() => Promise<{ status: string; message: string }>) | null
  breakers: () => Record<string, Pick<BreakerStats, 'state'>>
  /** The newest evaluation; null: none was ever run. */
  latestEvaluation: () => Promise<{ recallAt5: number; createdAt: Date } | null>
  countCriticalAlerts: () => Promise<number>
  /** 0..1 */
  freeDiskShare: () => Promise<number>
  minFreeDiskShare: number
  /** File or address of what says how backups are made and restored; empty: nobody wrote it down. */
  backupDocument: string
  /** Characters of the file; rejects when it cannot be read. */
  readDocument: (path: string) => Promise<string>
}

/** Every vector is looked at, and anybody may ask. */
const FRESH_MS = 60_000
/** Fewer than this many sessions are perhaps one person. */
const MIN_ASKING_SESSIONS = 3
const MIN_RECALL = 0.8
const EVALUATION_MAX_AGE_MS = 7 * 86_400_000
const MIN_KEY_CHARACTERS = 16
const MIN_DOCUMENT_CHARACTERS = 100
/** The longest retention that can be set. */
const MAX_DAYS = 36_500

/** What `GET /operations/release-checklist` checks, in its order. */
export function releaseChecks(options: ChecklistOptions): ReleaseCheck[] {
  return [...databaseChecks(options), ...settingChecks(options), ...contentChecks(options), ...stateChecks(options)]
}

function databaseChecks({ pingDatabase, migrationStatus, hasVectorExtension }: ChecklistOptions): ReleaseCheck[] {
  return [
    { name: 'database', run: () => pingDatabase() },
    {
      name: 'migrations',
      async run() {
        const { expected, applied } = await migrationStatus()
        demand(applied === expected, `The database holds ${applied} of ${expected} migrations`)
      },
    },
    {
      name: 'extensions',
      run: async () => demand(await hasVectorExtension(), 'The database lacks the pgvector extension'),
    },
  ]
}

function settingChecks({
  apiKey,
  countNamedKeys,
  fileRoots,
  hotQuestionMinSessions,
  conversationRetentionDays,
  backupDocument,
  readDocument,
}: ChecklistOptions): ReleaseCheck[] {
  return [
    {
      name: 'api_key',
      run() {
        const named = countNamedKeys()
        demand(apiKey !== '' || named !== null, 'API_KEY is empty: no authentication')
        demand(apiKey !== '' || named !== 0, 'API_KEYS_FILE holds no valid key')
        demand(
          apiKey === '' || apiKey.length >= MIN_KEY_CHARACTERS,
          `API_KEY is shorter than ${MIN_KEY_CHARACTERS} characters`,
        )
      },
    },
    {
      name: 'file_roots',
      run: () => demand(fileRoots !== '', 'FILE_ROOTS is empty: requests may name files of nearly any folder'),
    },
    {
      name: 'hot_questions',
      run() {
        const why = `HOT_QUESTION_MIN_SESSIONS is ${hotQuestionMinSessions}: the open dashboard may show what one person asked`
        demand(hotQuestionMinSessions >= MIN_ASKING_SESSIONS, `${why}; ${MIN_ASKING_SESSIONS} is advised`)
      },
    },
    {
      name: 'conversation_retention',
      run() {
        const why = 'CONVERSATION_RETENTION_DAYS is 0: conversations are kept until somebody erases them'
        demand(conversationRetentionDays > 0, `${why}. Decide how long; ${MAX_DAYS} says that they are meant to stay`)
      },
    },
    {
      name: 'backups_documented',
      async run() {
        demand(backupDocument !== '', 'BACKUP_DOCUMENT is empty: name what says how backups are made and restored')
        if (/^https?:\/\//.test(backupDocument)) return
        const text = await readDocument(backupDocument).catch(() => fail('BACKUP_DOCUMENT cannot be read'))
        demand(text.trim().length >= MIN_DOCUMENT_CHARACTERS, 'BACKUP_DOCUMENT says next to nothing')
      },
    },
  ]
}

function contentChecks({ db, clock, latestEvaluation }: ChecklistOptions): ReleaseCheck[] {
  const vectorState = keptFresh(() => readVectorState(db.executor), { freshMs: FRESH_MS, now: () => clock.now() })
  return [
    {
      name: 'knowledge_base',
      run: async () => demand(await hasChunks(db.executor), 'The knowledge base is empty'),
    },
    {
      name: 'embeddings',
      async run() {
        const { dimensions, missing } = await vectorState()
        demand(dimensions.length <= 1, `Vectors of different lengths are served: ${dimensions.join(', ')}`)
        demand(missing === 0, `${missing} passages have no vector yet`)
      },
    },
    {
      name: 'evaluation',
      async run() {
        const latest = await latestEvaluation()
        if (!latest) return fail('No evaluation was ever run: POST /api/v1/evaluation/run')
        const days = Math.floor((clock.now() - latest.createdAt.getTime()) / 86_400_000)
        demand(
          clock.now() - latest.createdAt.getTime() <= EVALUATION_MAX_AGE_MS,
          `The last evaluation is ${days} days old`,
        )
        demand(latest.recallAt5 >= MIN_RECALL, `recall@5 is ${latest.recallAt5.toFixed(2)}, below ${MIN_RECALL}`)
      },
    },
  ]
}

function stateChecks(options: ChecklistOptions): ReleaseCheck[] {
  const { probeModel, breakers, countCriticalAlerts, freeDiskShare, minFreeDiskShare } = options
  return [
    {
      name: 'model',
      async run() {
        const finding = await probeModel?.()
        demand(!finding || finding.status === 'healthy', `The model: ${finding?.message}`)
      },
    },
    {
      name: 'circuit_breakers',
      run() {
        const open = Object.entries(breakers()).filter(([, { state }]) => state !== 'CLOSED')
        demand(open.length === 0, `Not closed: ${open.map(([name]) => name).join(', ')}`)
      },
    },
    {
      name: 'critical_alerts',
      async run() {
        const count = await countCriticalAlerts()
        demand(count === 0, `${count} critical ${count === 1 ? 'alert is' : 'alerts are'} open`)
      },
    },
    {
      name: 'disk_space',
      async run() {
        const free = await freeDiskShare()
        demand(free >= minFreeDiskShare, `Only ${Math.round(free * 100)} % of the disk is free`)
      },
    },
  ]
}

function demand(condition: boolean, why: string): void {
  if (!condition) fail(why)
}

function fail(why: string): never {
  throw new CheckFailure(why)
}
