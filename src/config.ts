import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { type Static, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'

const text = (description: string, value = '') => Type.String({ description, default: value })
const whole = (description: string, value: number, minimum: number, maximum: number) =>
  Type.Integer({ description, default: value, minimum, maximum })
const oneOf = <const T extends string>(description: string, value: T, values: readonly T[]) =>
  Type.Union(
    values.map((entry) => Type.Literal(entry)),
    { description, default: value },
  ) as unknown as ReturnType<typeof Type.Unsafe<T>>

/** Every setting: its name in the environment, type, default and meaning. `.env.example` is tested against it. */
export const settings = Type.Object({
  PORT: whole('Port to listen on; 0 takes a free one', 8000, 0, 65_535),
  HOST: text('Address to listen on. Empty: loopback while no key is set, else all interfaces'),
  PUBLIC_PORT: whole('Port of a second listener with what customers and channels reach alone; 0: none', 0, 0, 65_535),
  PUBLIC_HOST: text('Address of that listener. Empty: all interfaces'),
  API_KEY: text('Secret that callers send as X-API-Key. Empty: no authentication, loopback only'),
  ALLOWED_HOSTS: text(
    'Comma-separated names that the service answers to, *.example.com for all below; empty: any, without a key on loopback its own',
  ),
  API_KEYS_FILE: text('File of named keys with scopes beside API_KEY, which npm run key writes; empty: none'),
  LOG_IN_IDLE_HOURS: whole('Hours without a request after which somebody must log in again', 12, 1, 168),
  OPEN_GROUPS: Type.Boolean({
    description:
      'Whether dashboard, metrics, traces and alerts answer without a key, as the contract says; without texts',
    default: true,
  }),
  APP_NAME: text('Name shown by the health endpoint and the API pages', 'Frontdesk'),
  LOG_LEVEL: oneOf('How much is logged', 'info', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
  TRUST_PROXY: Type.Boolean({
    description: 'Believe the last X-Forwarded-For of the reverse proxy in front',
    default: false,
  }),

  DATA_DIR: text('Folder of the embedded database; one process at a time', './data'),
  EMBEDDED_SYNC: oneOf(
    'What a power cut may take from the embedded database: nothing (commit), the last second, or more (off)',
    'second',
    ['second', 'commit', 'off'],
  ),
  EMBEDDED_BUFFERS_MB: whole('Memory in which the embedded database keeps pages that it has read', 32, 8, 1_024),
  DATABASE_URL: text('Postgres server to use instead of the embedded database, for several replicas'),
  DATABASE_POOL_SIZE: whole('Connections of this replica to the server', 16, 2, 200),
  DATABASE_STATEMENT_TIMEOUT_MS: whole('Longest time of one statement on a server', 30_000, 1_000, 600_000),
  RESIDENT_PASSAGES: whole(
    'Passages whose words and vectors this process keeps in memory, of a larger base a part; 0: 200000 embedded, 50000 on a server',
    0,
    0,
    10_000_000,
  ),

  FILE_ROOTS: text('Colon-separated folders that requests may name files of. Empty: any but system and hidden ones'),
  MAX_UPLOAD_MB: whole('Largest upload, in MiB', 50, 1, 1_024),
  ORIGINALS_MAX_MB: whole(
    'MiB that uploaded files take which are kept with the versions read from them; 0: none is kept',
    1_024,
    0,
    1_000_000,
  ),
  WEBSITE_IMPORT_HOSTS: text(
    'Comma-separated hosts, each with a port or for every port, that imports of websites may read at private addresses',
  ),
  ATTACHMENT_MAX_MB: whole('Largest file that a customer or a person sends, in MiB', 10, 1, 100),
  ATTACHMENTS_PER_SESSION: whole('Files of one conversation at most; 0: none can be sent', 50, 0, 10_000),
  REQUEST_TIMEOUT_MS: whole('Longest time for a request to arrive whole', 60_000, 1_000, 600_000),
  HEADERS_TIMEOUT_MS: whole('Longest time for the headers of a request to arrive', 10_000, 500, 120_000),
  RATE_LIMIT_PER_MINUTE: whole(
    'Requests of one client address within a minute and replica, beyond which 429 is answered; 0: no limit',
    0,
    0,
    1e6,
  ),
  RATE_LIMIT_PER_USER_PER_MINUTE: whole(
    'Messages that name one user_id within a minute and replica, beyond which 429 is answered; 0: no limit',
    0,
    0,
    1e6,
  ),
  RATE_LIMIT_PER_SESSION_PER_MINUTE: whole('The same for messages that name one session_id; 0: no limit', 0, 0, 1e6),
  WIDGET_MESSAGES_PER_MINUTE: whole(
    'Messages of one session of a widget within a minute and replica; 0: no limit',
    20,
    0,
    1e6,
  ),
  WIDGET_REQUESTS_PER_MINUTE: whole('All requests of one session of a widget; 0: no limit', 300, 0, 1e6),
  WIDGET_SESSIONS_PER_MINUTE: whole('Sessions of widgets that one client address begins; 0: no limit', 60, 0, 1e6),
  WEBHOOK_HOSTS: text('Comma-separated hosts, each with a port or for every port, of webhooks at private addresses'),
  WEBHOOK_TIMEOUT_MS: whole('Longest time that a webhook may take to answer', 10_000, 100, 60_000),
  WEBHOOK_RETRY_SECONDS: whole('Pause before an event is sent again; doubles each time, up to four hours', 5, 1, 3_600),
  WEBHOOK_RETRY_HOURS: whole(
    'Hours after which an event is given up, and a webhook that took none is switched off',
    72,
    1,
    720,
  ),
  SHUTDOWN_TIMEOUT_MS: whole('Longest time that a shutdown waits for running requests', 8_000, 500, 60_000),

  USER_DICTIONARY: text('File with domain words for Chinese segmentation, one a line'),
  GLOSSARY_FILE: text('File with terms that the knowledge base should use, one a line with its alternatives'),
  SENSITIVE_WORDS_FILES: text('Colon-separated files of words that must not be published. Empty: the shipped lists'),
  SYNONYMS_FILE: text('File with groups of words that mean the same, one group a line, separated by commas'),

  ASSISTANT_NAME: text('How the assistant calls itself, until somebody sets another name; empty: it has none'),
  ASSISTANT_PERSONA: text('How a model words its replies, beside the rules that always hold'),
  ASSISTANT_GREETING_EN: text('What a greeting is answered with in English; empty: the usual words'),
  ASSISTANT_GREETING_ZH: text('What a greeting is answered with in Chinese; empty: the usual words'),

  LLM_PROVIDER: oneOf('Protocol of the model endpoint', 'openai', ['openai', 'anthropic']),
  LLM_BASE_URL: text('Base URL of the model endpoint; empty with LLM_MODEL empty: replies are extractive'),
  LLM_API_KEY: text('Key of the model endpoint'),
  LLM_MODEL: text('Model for most steps'),
  LLM_MODEL_LIGHT: text('Model for easy steps; empty: LLM_MODEL'),
  LLM_MODEL_STRONG: text('Model for hard steps; empty: LLM_MODEL'),
  MAX_TOKENS_PER_REPLY: whole('Tokens that the model may read and write for one reply', 24_000, 500, 1_000_000),

  EMBEDDING_BASE_URL: text('OpenAI-compatible embeddings endpoint; empty: the local embedder'),
  EMBEDDING_API_KEY: text('Key of the embeddings endpoint'),
  EMBEDDING_MODEL: text('Model of the embeddings endpoint'),
  EMBEDDING_MODEL_DIR: text(
    'Folder of an ONNX embedding model to run on this machine: model.onnx and tokenizer.json; npm start installs what runs it',
  ),

  RERANK_BASE_URL: text('Rerank endpoint (Cohere, Jina or TEI); empty: the built-in ranking alone'),
  RERANK_API_KEY: text('Key of the rerank endpoint'),
  RERANK_MODEL: text('Model of the rerank endpoint; empty for TEI, which serves one'),
  RERANK_TIMEOUT_MS: whole('How long a search waits for the rerank endpoint', 1_500, 50, 30_000),

  SESSION_IDENTITY: oneOf(
    'Who speaks for the customer of a session: the user_id, or (made) naming a session whose id we made; strict: the user_id alone',
    'made',
    ['made', 'strict'],
  ),
  HANDOFF_TIMEOUT_SECONDS: whole('How long a customer waits for a person; 0: until one comes', 900, 0, 604_800),
  OWNER_IDLE_MINUTES: whole(
    'How long a customer waits for the person who has the conversation before it waits for the next one; 0: for ever',
    0,
    0,
    10_080,
  ),
  DRAFT_SOLUTIONS: Type.Boolean({
    description: 'Whether a draft of a solution is made of what a person wrote when a conversation is resolved',
    default: true,
  }),
  MINING_MIN_FREQUENCY: whole('Tickets about a problem from which on it is frequent', 3, 2, 100_000),

  HOT_QUESTION_MIN_SESSIONS: whole(
    'Sessions that must have asked a question before the open dashboard shows it; 3 hides what one person asked',
    1,
    1,
    1_000,
  ),
  METRICS_WINDOW_SECONDS: whole('How far the performance metrics look back', 3_600, 60, 86_400),
  TRACE_RETENTION_DAYS: whole('How long traces are kept', 14, 1, 365),
  TRACE_MAX_COUNT: whole('Traces kept at most; the oldest go first', 50_000, 100, 10_000_000),
  CONVERSATION_RETENTION_DAYS: whole(
    'How long a conversation is kept after its last message; 0: until it is erased',
    0,
    0,
    36_500,
  ),
  TICKET_RETENTION_DAYS: whole('How long imported tickets are kept; 0: until somebody removes them', 0, 0, 36_500),
  EVALUATION_RETENTION_DAYS: whole('How long evaluation reports are kept; 0: for ever', 0, 0, 36_500),
  ALERT_RETENTION_DAYS: whole('How long resolved alerts are kept', 90, 1, 36_500),
  AUDIT_RETENTION_DAYS: whole('How long the audit log keeps what people changed; 0: for ever', 730, 0, 36_500),
  SERIES_RETENTION_DAYS: whole('How long the numbers of each day are kept for charts; 0: for ever', 1_095, 0, 36_500),
  PRICES_FILE: text('YAML file with the prices of models, as in sample/prices.yaml; empty: usage has no costs'),
  DAILY_TOKEN_BUDGET: whole(
    'Tokens in 24 hours; with all of them used an alert is raised and replies are extractive; 0: no budget',
    0,
    0,
    1e12,
  ),
  ALERT_WEBHOOK_URL: text('Where new and resolved alerts are posted as JSON; empty: nowhere'),
  ALERT_WINDOW_MINUTES: whole('How far the alert rules look back', 15, 1, 1_440),
  ALERT_MIN_SAMPLES: whole('Requests, turns or sessions below which a rate says nothing', 20, 1, 100_000),
  ALERT_ERROR_RATE_PERCENT: whole('Failed requests or turns above which an alert is raised', 5, 0, 100),
  ALERT_LATENCY_MS: whole('Duration of one turn in twenty above which an alert is raised; 0: off', 10_000, 0, 600_000),
  ALERT_ESCALATION_RATE_PERCENT: whole('Sessions that need a person above which an alert is raised', 50, 0, 100),
  ALERT_LOW_CONFIDENCE_RATE_PERCENT: whole(
    'Questions without a sure answer above which an alert is raised',
    50,
    0,
    100,
  ),
  ALERT_WRONG_KEYS: whole('Wrong API keys above which an alert is raised; 0: off', 20, 0, 1_000_000),
  ALERT_FREE_DISK_PERCENT: whole('Free disk space below which an alert is raised', 10, 0, 100),
  ALERT_QUEUE_AGE_SECONDS: whole('Wait for a person above which an alert is raised; 0: off', 600, 0, 604_800),
  OTEL_EXPORTER_OTLP_ENDPOINT: text('Base URL to which traces are exported by OTLP over HTTP; empty: nowhere'),
  OTEL_EXPORTER_OTLP_HEADERS: text('Headers of that export, as name=value,name=value'),
  BACKUP_DOCUMENT: text('File or URL that says how backups are made and restored; the release checklist asks for it'),

  BUSINESS_CONFIG: text('YAML file of connectors to the shop’s own systems; empty: the embedded records'),
  WECHAT_TOKEN: text('Token of the WeChat official account; empty: its callback is off'),
  WECHAT_APP_ID: text('App id of the WeChat official account'),
  WECHAT_APP_SECRET: text('App secret, needed to push late answers'),
  WECHAT_ENCODING_AES_KEY: text('43 characters, of the encrypted mode: plain messages are refused once it is set'),
  WECHAT_REQUIRE_ENCRYPTION: Type.Boolean({
    description: 'Refuse plain messages also without a key to decrypt others',
    default: false,
  }),
  WECHAT_API_BASE_URL: text('Address of WeChat’s API; tests name a stand-in', 'https://api.weixin.qq.com'),
  DINGTALK_APP_KEY: text('App key of the DingTalk robot'),
  MAIL_IMAP_HOST: text('Mail server from which the mails of customers are read; empty: mail is off'),
  MAIL_IMAP_PORT: whole('Port of that server', 993, 1, 65_535),
  MAIL_IMAP_SECURITY: oneOf('How that server is spoken to', 'tls', ['tls', 'starttls', 'plain']),
  MAIL_SMTP_HOST: text('Mail server by which answers are sent; empty: mail is off'),
  MAIL_SMTP_PORT: whole('Port of that server', 465, 1, 65_535),
  MAIL_SMTP_SECURITY: oneOf('How that server is spoken to', 'tls', ['tls', 'starttls', 'plain']),
  MAIL_USER: text('Account at both mail servers'),
  MAIL_PASSWORD: text('Password of that account, which providers often call that of an app'),
  MAIL_SMTP_USER: text('Account for sending, where it is another'),
  MAIL_SMTP_PASSWORD: text('Password of that account'),
  MAIL_ADDRESS: text('Address that customers write to. Empty: MAIL_USER'),
  MAIL_NAME: text('Name that answers come from. Empty: that of the assistant'),
  MAIL_FOLDER: text('Folder whose mails are read', 'INBOX'),
  MAIL_REPLIES: oneOf('Whom mails are answered by', 'assistant', ['assistant', 'people']),
  MAIL_POLL_SECONDS: whole('Pause between two looks into the folder', 20, 1, 3_600),
  MAIL_ANSWERS_PER_HOUR: whole(
    'Answers of the assistant to one address within an hour; mails beyond them are left to people',
    10,
    1,
    1_000,
  ),
  MAIL_MAX_MB: whole('Largest mail of which the files are taken, in MiB', 25, 1, 100),
  DINGTALK_APP_SECRET: text('App secret of the DingTalk robot; empty: its callback is off'),
  DINGTALK_WEBHOOK_ORIGINS: text(
    'Comma-separated origins that may stand in for DingTalk’s own; tests name a loopback one',
  ),
  CHANNEL_REPLY_BUDGET_MS: whole(
    'How long a channel’s callback waits for the answer; later ones are pushed',
    4_000,
    50,
    4_900,
  ),
})

/** Settings that cannot be meant so, each with what it should be; no line holds a secret. */
export class SettingsError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(`Wrong settings: ${problems.join('; ')}`)
    this.problems = problems
  }
}

export type Settings = Static<typeof settings>
export type SettingSource = 'default' | 'environment' | 'file'
export interface Config extends Settings {
  /** HOST with its default filled in. */
  readonly host: string
  /** Whether callers need no key: neither API_KEY nor API_KEYS_FILE is set. */
  readonly isKeyless: boolean
  /** Where each setting comes from. */
  readonly sources: Readonly<Record<string, SettingSource>>
}

/**
 * Reads settings from the environment, from `.env` in the working folder for those that the environment lacks, and
 * from `fallback` for those that neither has.
 * Throws an error that names each wrong setting and what it should be.
 */
export function readConfig(
  fallback: Record<string, string> = {},
  environment: NodeJS.ProcessEnv = process.env,
  envFile = '.env',
): Config {
  const fromFile = readFile(envFile)
  const problems: string[] = []
  const properties = settings.properties as unknown as Record<string, Setting>
  const entries = Object.entries(properties).map(([name, setting]) => {
    const text = (environment[name] || fromFile[name] || fallback[name] || '').trim()
    const value = text === '' ? setting.default : parse(setting, text)
    if (!Value.Check(setting as TSchema, value)) problems.push(`${name} must be ${expectation(setting)}, not "${text}"`)
    return [name, value] as const
  })
  if (problems.length > 0) throw new SettingsError(problems)
  const valid = Object.fromEntries(entries) as Settings
  const isKeyless = valid.API_KEY === '' && valid.API_KEYS_FILE === ''
  const sources = Object.fromEntries(
    Object.keys(properties).map((name) => [name, sourceOf(environment[name], fromFile[name])]),
  )
  return { ...valid, isKeyless, sources, host: valid.HOST || (isKeyless ? '127.0.0.1' : '0.0.0.0') }
}

function sourceOf(fromEnvironment: string | undefined, fromFile: string | undefined): SettingSource {
  if (fromEnvironment?.trim()) return 'environment'
  return fromFile?.trim() ? 'file' : 'default'
}

/** Settings whose values nobody is shown. */
const SECRET = /(?:_KEY|^API_KEY|_SECRET|_TOKEN|_HEADERS|_PASSWORD|WEBHOOK_URL|DATABASE_URL)$/

/** Every setting as it is in force, without a secret. */
export function describeSettings(config: Config) {
  return Object.entries(settings.properties as unknown as Record<string, Setting>).map(([name, setting]) => {
    const value = config[name as keyof Settings]
    const isSecret = SECRET.test(name)
    return {
      name,
      value: isSecret ? null : withoutCredentials(value),
      default: setting.default as string | number | boolean,
      isSet: value !== '',
      isSecret,
      source: config.sources[name] ?? 'default',
      type: typeOf(setting),
      minimum: setting.minimum ?? null,
      maximum: setting.maximum ?? null,
      values: setting.anyOf?.map((each) => each.const) ?? null,
      description: setting.description ?? '',
    }
  })
}

function typeOf({ type, anyOf }: Setting): 'text' | 'integer' | 'boolean' | 'choice' {
  if (anyOf) return 'choice'
  return type === 'integer' || type === 'boolean' ? type : 'text'
}

function withoutCredentials(value: string | number | boolean): string | number | boolean {
  return typeof value === 'string' ? value.replace(/(?<=:\/\/)[^/@\s]*@/, '***@') : value
}

/** The names of a setting that lists some. */
export function listOfNames(value: string): string[] {
  return value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** The paths of a setting that names several. */
export function listOfPaths(value: string): string[] {
  return value.split(':').filter((path) => path !== '')
}

/** Every name that is set, in the environment or in `.env`: other configuration files refer to secrets by name. */
export function readEnvironment(environment: NodeJS.ProcessEnv = process.env, envFile = '.env'): NodeJS.ProcessEnv {
  return { ...readFile(envFile), ...environment }
}

/** Names alone, as `.env` and the environment have them. */
export function givenNames(environment: NodeJS.ProcessEnv = process.env, envFile = '.env') {
  return { file: Object.keys(readFile(envFile)), environment: Object.keys(environment) }
}

function readFile(envFile: string): NodeJS.Dict<string> {
  return existsSync(envFile) ? parseEnv(readFileSync(envFile, 'utf8')) : {}
}

interface Setting {
  type?: string
  description?: string
  default?: unknown
  minimum?: number
  maximum?: number
  anyOf?: { const: string }[]
}

function parse({ type }: Setting, text: string): unknown {
  if (type === 'integer') return /^-?\d{1,15}$/.test(text) ? Number(text) : text
  if (type === 'boolean') return { true: true, false: false }[text.toLowerCase()] ?? text
  return text
}

function expectation({ type, minimum, maximum, anyOf }: Setting): string {
  if (type === 'integer') return `a whole number from ${minimum} to ${maximum}`
  if (type === 'boolean') return 'true or false'
  return anyOf ? `one of ${anyOf.map((each) => each.const).join(', ')}` : 'text'
}
