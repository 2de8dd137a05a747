import { readFile } from 'node:fs/promises'
import { BUILT_IN_PREFIX } from '../../../ai/embedder/built-in.ts'
import { AppError } from '../../../kernel/errors.ts'
import { keptFresh } from '../../../kernel/shared-reading.ts'
import type { BreakerStats } from '../../../platform/breaker.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/postgres/index.ts'
import type { Words } from './attempt.ts'
import type { ReleaseCheck } from './checklist.ts'
import type { HealthCheck, HealthFinding } from './health.ts'
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
    healthy('llm', health, 'model', { en: 'The model: ', zh: '大模型：' }),
    ...stateChecks(sources),
    healthy('disk', health, 'disk_space', { en: 'Only ', zh: '' }),
  ]
}

/** Findings of the health report that must be well, or absent. */
function healthy(
  of: string,
  health: ReleaseSources['health'],
  name = of,
  prefix: Words = { en: '', zh: '' },
): ReleaseCheck {
  const own = health.find((each) => each.name === of)
  return check(name, async () => {
    const missing: HealthFinding = { status: 'unhealthy', message: 'it is not checked', zh: '未被检查' }
    const { status, message, zh = message } = (await own?.run()) ?? missing
    demand(status === 'healthy' || status === 'not_configured', prefix.en + message, prefix.zh + zh)
  })
}

function settingChecks({ settings, clock, namedKeys }: ReleaseSources): ReleaseCheck[] {
  const { API_KEY, FILE_ROOTS, OPEN_GROUPS, CONVERSATION_RETENTION_DAYS, BACKUP_DOCUMENT } = settings
  const { HOT_QUESTION_MIN_SESSIONS } = settings
  return [
    check('api_key', () => {
      const keys = namedKeys()
      const isValid = ({ expiresAt }: { expiresAt: Date | null }) => !expiresAt || expiresAt.getTime() > clock.now()
      demand(API_KEY !== '' || keys !== undefined, 'API_KEY is empty: no authentication', 'API_KEY 为空：没有身份验证')
      demand(
        API_KEY !== '' || keys?.some(isValid),
        'API_KEYS_FILE holds no valid key',
        'API_KEYS_FILE 中没有有效的密钥',
      )
      const isLong = API_KEY === '' || API_KEY.length >= MIN_KEY_CHARACTERS
      demand(
        isLong,
        `API_KEY is shorter than ${MIN_KEY_CHARACTERS} characters`,
        `API_KEY 少于 ${MIN_KEY_CHARACTERS} 个字符`,
      )
    }),
    check('file_roots', () =>
      demand(
        FILE_ROOTS !== '',
        'FILE_ROOTS is empty: requests may name files of nearly any folder',
        'FILE_ROOTS 为空：请求几乎可以读取任何目录中的文件',
      ),
    ),
    check('open_groups', () => {
      const why = 'OPEN_GROUPS is true: dashboard, metrics, traces and alerts answer whoever reaches this address'
      const zh = 'OPEN_GROUPS 为 true：能访问此地址的人都能看到概览、指标、追踪和告警；对外服务时建议设为 false'
      demand(!OPEN_GROUPS, `${why}; on anything public false is advised`, zh)
    }),
    check('hot_questions', () => {
      const why = `HOT_QUESTION_MIN_SESSIONS is ${HOT_QUESTION_MIN_SESSIONS}: the open dashboard may show what one person asked`
      demand(
        !OPEN_GROUPS || HOT_QUESTION_MIN_SESSIONS >= MIN_ASKING_SESSIONS,
        `${why}; ${MIN_ASKING_SESSIONS} is advised`,
        `HOT_QUESTION_MIN_SESSIONS 为 ${HOT_QUESTION_MIN_SESSIONS}：公开的概览可能显示某一个人的提问；建议设为 ${MIN_ASKING_SESSIONS}`,
      )
    }),
    check('conversation_retention', () => {
      const why = 'CONVERSATION_RETENTION_DAYS is 0: conversations are kept until somebody erases them'
      const zh = 'CONVERSATION_RETENTION_DAYS 为 0：会话会一直保留，直到有人删除'
      demand(
        CONVERSATION_RETENTION_DAYS > 0,
        `${why}. Decide how long; ${MAX_DAYS} says that they are meant to stay`,
        `${zh}。请决定保留多久；${MAX_DAYS} 表示有意长期保留`,
      )
    }),
    check('backups_documented', async () => {
      demand(
        BACKUP_DOCUMENT !== '',
        'BACKUP_DOCUMENT is empty: name what says how backups are made and restored',
        'BACKUP_DOCUMENT 为空：请指明说明如何备份与恢复的文档',
      )
      if (/^https?:\/\//.test(BACKUP_DOCUMENT)) return
      const text = await readFile(BACKUP_DOCUMENT, 'utf8').catch(() =>
        fail('BACKUP_DOCUMENT cannot be read', '无法读取 BACKUP_DOCUMENT'),
      )
      const isMeant = text.trim().length >= MIN_DOCUMENT_CHARACTERS
      demand(isMeant, 'BACKUP_DOCUMENT says next to nothing', 'BACKUP_DOCUMENT 几乎没有内容')
    }),
  ]
}

function contentChecks({ db, clock, latestEvaluation }: ReleaseSources): ReleaseCheck[] {
  const vectorState = keptFresh(() => readVectorState(db.executor, BUILT_IN_PREFIX), {
    freshMs: FRESH_MS,
    now: () => clock.now(),
  })
  return [
    check('knowledge_base', async () =>
      demand(await hasChunks(db.executor), 'The knowledge base is empty', '知识库是空的'),
    ),
    check('embeddings', async () => {
      const { dimensions, missing } = await vectorState()
      const lengths = dimensions.join(', ')
      demand(
        dimensions.length <= 1,
        `Vectors of different lengths are served: ${lengths}`,
        `存在不同长度的向量：${lengths}`,
      )
      demand(missing === 0, `${missing} passages have no vector yet`, `${missing} 个段落还没有向量`)
    }),
    check('evaluation', async () => {
      const latest = await latestEvaluation()
      if (!latest) return fail('No evaluation was ever run: POST /api/v1/evaluation/run', '还没有运行过评测')
      const days = (clock.now() - latest.createdAt.getTime()) / DAY_MS
      const age = Math.floor(days)
      demand(days <= EVALUATION_MAX_AGE_DAYS, `The last evaluation is ${age} days old`, `最近一次评测已是 ${age} 天前`)
      const recall = latest.recallAt5.toFixed(2)
      const isFound = latest.recallAt5 >= MIN_RECALL
      demand(isFound, `recall@5 is ${recall}, below ${MIN_RECALL}`, `recall@5 为 ${recall}，低于 ${MIN_RECALL}`)
    }),
  ]
}

function stateChecks({ breakers, alerts }: ReleaseSources): ReleaseCheck[] {
  return [
    check('circuit_breakers', () => {
      const open = Object.entries(breakers.stats()).filter(([, { state }]) => state !== 'CLOSED')
      const names = open.map(([name]) => name).join(', ')
      demand(open.length === 0, `Not closed: ${names}`, `暂停调用或试探中：${names}`)
    }),
    check('critical_alerts', async () => {
      const count = await alerts.countOpen('critical')
      demand(
        count === 0,
        `${count} critical ${count === 1 ? 'alert is' : 'alerts are'} open`,
        `有 ${count} 条严重告警未处理`,
      )
    }),
  ]
}

function check(name: string, run: ReleaseCheck['run']): ReleaseCheck {
  return { name, run }
}

function demand(condition: boolean | undefined, why: string, zh: string): void {
  if (!condition) fail(why, zh)
}

function fail(why: string, zh: string): never {
  throw new AppError('conflict', 'release_check', why, { zh })
}
