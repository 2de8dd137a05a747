import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs'
import { type Config, listOfNames, listOfPaths, SettingsError, settings } from './config.ts'
import { hostnameOf } from './kernel/hosts.ts'
import { nearestName } from './kernel/nearest-name.ts'

/** Findings about the settings before anything is opened: what is wrong, and what only looks odd. */

/** Throws a `SettingsError` with one line for each setting that cannot be meant so. No line holds a secret. */
export function refuseWrongSettings(config: Config): void {
  const problems = [...addressProblems(config), ...fileProblems(config), ...togetherProblems(config)]
  if (problems.length > 0) throw new SettingsError(problems)
}

const WEB_ADDRESSES = [
  ...(['LLM_BASE_URL', 'EMBEDDING_BASE_URL', 'RERANK_BASE_URL', 'ALERT_WEBHOOK_URL'] as const),
  ...(['OTEL_EXPORTER_OTLP_ENDPOINT', 'WECHAT_API_BASE_URL'] as const),
] as const

function addressProblems(config: Config): string[] {
  const web = WEB_ADDRESSES.filter((name) => config[name] !== '' && !isAddress(config[name], ['http:', 'https:']))
  const database = config.DATABASE_URL
  const isDatabase = database === '' || database.startsWith('/') || isAddress(database, ['postgres:', 'postgresql:'])
  const hosts = listOfNames(config.ALLOWED_HOSTS).filter((host) => !isHostPattern(host))
  return [
    ...(isDatabase ? [] : ['DATABASE_URL must be an address such as postgres://user:password@host:5432/name']),
    ...web.map((name) => `${name} must be an address such as https://host/path`),
    ...hosts.map((host) => `ALLOWED_HOSTS must list names such as desk.example.com or *.example.com, not "${host}"`),
  ]
}

function isAddress(text: string, protocols: readonly string[]): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocols.includes(protocol) && (hostname !== '' || protocol.startsWith('postgres'))
}

/** Ports do not matter, and a scheme would never be part of a `Host`. */
function isHostPattern(entry: string): boolean {
  const host = entry.startsWith('*.') ? entry.slice(2) : entry
  return !/:\d*$/.test(host.replace(/^\[[^\]]*\]/, '')) && !host.includes('*') && hostnameOf(host) !== null
}

const FILES = ['PRICES_FILE', 'GLOSSARY_FILE', 'USER_DICTIONARY', 'SYNONYMS_FILE', 'BUSINESS_CONFIG'] as const

function fileProblems(config: Config): string[] {
  const words = listOfPaths(config.SENSITIVE_WORDS_FILES).map(
    (path) => ['SENSITIVE_WORDS_FILES', path, 'file'] as const,
  )
  const files = FILES.map((name) => [name, config[name], 'file'] as const)
  const model = ['EMBEDDING_MODEL_DIR', config.EMBEDDING_MODEL_DIR, 'folder'] as const
  return [...files, ...words, model].flatMap(([name, path, kind]) => {
    const problem = path === '' ? null : pathProblem(path, kind)
    return problem === null ? [] : [`${name}: ${path} ${problem}`]
  })
}

/** Only warned of: nothing can be read below a folder that is not there, and a volume may be mounted later. */
export function findMissingRoots({ FILE_ROOTS }: Pick<Config, 'FILE_ROOTS'>): string[] {
  return listOfPaths(FILE_ROOTS).flatMap((path) => {
    const problem = pathProblem(path, 'folder')
    return problem === null ? [] : [`FILE_ROOTS: ${path} ${problem}`]
  })
}

function pathProblem(path: string, kind: 'file' | 'folder'): string | null {
  try {
    const isFolder = statSync(path).isDirectory()
    if (isFolder !== (kind === 'folder')) return `is ${isFolder ? 'a folder' : 'no folder'}`
    accessSync(path, constants.R_OK)
    return null
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`
  }
}

/** Settings that mean nothing without another one. */
function togetherProblems(config: Config): string[] {
  const { LLM_MODEL, LLM_BASE_URL, LLM_API_KEY, EMBEDDING_BASE_URL, EMBEDDING_MODEL, WECHAT_ENCODING_AES_KEY } = config
  const rules: [isWrong: boolean, problem: string][] = [
    [LLM_MODEL === '' && LLM_BASE_URL !== '', 'LLM_BASE_URL is set without LLM_MODEL: name the model, or empty both'],
    [
      LLM_MODEL !== '' && LLM_BASE_URL === '' && LLM_API_KEY === '',
      'LLM_MODEL is set without LLM_BASE_URL and without LLM_API_KEY: name the endpoint, or the key of the vendor’s own',
    ],
    [
      LLM_MODEL === '' && (config.LLM_MODEL_LIGHT !== '' || config.LLM_MODEL_STRONG !== ''),
      'LLM_MODEL_LIGHT and LLM_MODEL_STRONG mean nothing without LLM_MODEL',
    ],
    [EMBEDDING_BASE_URL === '' && EMBEDDING_MODEL !== '', 'EMBEDDING_MODEL is set without EMBEDDING_BASE_URL'],
    [
      WECHAT_ENCODING_AES_KEY !== '' && !/^[\dA-Za-z+/]{43}$/.test(WECHAT_ENCODING_AES_KEY),
      'WECHAT_ENCODING_AES_KEY must be 43 characters of base64',
    ],
  ]
  return rules.filter(([isWrong]) => isWrong).map(([, problem]) => problem)
}

/** Shorter ones are too near too many words. */
const MIN_NAME_LENGTH = 6
const MAX_DISTANCE = 2
/** In `.env` for Docker Compose, which reads the same file. */
const OF_COMPOSE = /^(?:POSTGRES_PASSWORD|COMPOSE_\w+|DOCKER_\w+)$/
/** Names that belong to OpenTelemetry, Node and npm, which have many. */
const OF_OTHERS = /^(?:OTEL|NODE|npm)_\w+$/i

export interface GivenNames {
  /** In `.env`. */
  file: readonly string[]
  environment: readonly string[]
  /** Text of files that may refer to names of the environment. */
  references: string
}

/**
 * Warnings of names that nothing reads: every such line of `.env`, and variables of the environment that look like one of
 * ours. Names alone: the value of a mistyped `API_KEY` is a secret.
 */
export function findUnknownNames({ file, environment, references }: GivenNames): string[] {
  const ours = Object.keys(settings.properties)
  const isKnown = (name: string): boolean =>
    ours.includes(name) || new RegExp(`\\b${name.replace(/\W/g, '\\$&')}\\b`).test(references)
  const inFile = file
    .filter((name) => !isKnown(name) && !OF_COMPOSE.test(name))
    .map((name) => `.env sets ${name}, which is no setting; the nearest is ${nearestName(name, ours)?.name}`)
  const inEnvironment = environment
    .filter((name) => name.length >= MIN_NAME_LENGTH && !file.includes(name) && !isKnown(name))
    .flatMap((name) => {
      const nearest = nearestName(name, ours)
      const isNear =
        nearest !== null && nearest.distance <= toleranceOf(nearest.name) && !isOfOthers(name, nearest.distance)
      return isNear ? [`The environment sets ${name}, which is no setting; ${nearest.name} is one`] : []
    })
  return [...inFile, ...inEnvironment]
}

/** `PGPORT` is no mistyped `PORT`. */
function toleranceOf(name: string): number {
  return name.length < MIN_NAME_LENGTH ? 0 : MAX_DISTANCE
}

/** One letter from ours is a mistake even in a name that looks like another program's. */
function isOfOthers(name: string, distance: number): boolean {
  return distance > 1 && OF_OTHERS.test(name)
}

/** The file of connectors names secrets of the environment. */
export function readReferences({ BUSINESS_CONFIG }: Pick<Config, 'BUSINESS_CONFIG'>): string {
  return BUSINESS_CONFIG !== '' && existsSync(BUSINESS_CONFIG) ? readFileSync(BUSINESS_CONFIG, 'utf8') : ''
}
