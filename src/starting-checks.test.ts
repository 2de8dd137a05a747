import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readConfig, SettingsError, settings } from './config.ts'
import { findMissingRoots, findUnknownNames, refuseWrongSettings } from './starting-checks.ts'

const folder = mkdtempSync(join(tmpdir(), 'frontdesk-settings-'))
const file = join(folder, 'a-file')
writeFileSync(file, 'x')
afterAll(() => rmSync(folder, { recursive: true }))

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    refuseWrongSettings(readConfig({}, environment, '/nonexistent'))
    return []
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    return error.problems
  }
}

describe('wrong settings', () => {
  it.each([
    [{ LLM_BASE_URL: 'foo', LLM_MODEL: 'm' }, 'LLM_BASE_URL must be an address such as https://host/path'],
    [{ LLM_BASE_URL: 'ftp://host', LLM_MODEL: 'm' }, 'LLM_BASE_URL must be an address'],
    [{ LLM_BASE_URL: 'localhost:11434/v1', LLM_MODEL: 'm' }, 'LLM_BASE_URL must be an address'],
    [{ EMBEDDING_BASE_URL: 'foo' }, 'EMBEDDING_BASE_URL must be an address'],
    [{ RERANK_BASE_URL: '//host' }, 'RERANK_BASE_URL must be an address'],
    [{ ALERT_WEBHOOK_URL: 'hooks.example/secret-token' }, 'ALERT_WEBHOOK_URL must be an address'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' }, 'OTEL_EXPORTER_OTLP_ENDPOINT must be an address'],
    [{ WECHAT_API_BASE_URL: 'http://' }, 'WECHAT_API_BASE_URL must be an address'],
    [{ DATABASE_URL: 'foo' }, 'DATABASE_URL must be an address such as postgres://'],
    [{ DATABASE_URL: 'mysql://root:secret@host/db' }, 'DATABASE_URL must be an address such as postgres://'],
    [{ ALLOWED_HOSTS: 'https://desk.example.com' }, 'ALLOWED_HOSTS must list names'],
    [{ ALLOWED_HOSTS: 'desk.example.com:8000' }, 'ALLOWED_HOSTS must list names'],
    [{ ALLOWED_HOSTS: '*' }, 'ALLOWED_HOSTS must list names'],
    [{ PRICES_FILE: '/nonexistent/a' }, 'PRICES_FILE: /nonexistent/a does not exist'],
    [{ GLOSSARY_FILE: folder }, 'is a folder'],
    [{ USER_DICTIONARY: join(file, 'below') }, 'cannot be read (ENOTDIR)'],
    [{ SYNONYMS_FILE: '/nonexistent/a' }, 'SYNONYMS_FILE: /nonexistent/a does not exist'],
    [{ SENSITIVE_WORDS_FILES: `${file}:/nonexistent/b` }, 'SENSITIVE_WORDS_FILES: /nonexistent/b does not exist'],
    [{ BUSINESS_CONFIG: '/nonexistent/c' }, 'BUSINESS_CONFIG: /nonexistent/c does not exist'],
    [{ EMBEDDING_MODEL_DIR: file }, 'is no folder'],
    [{ LLM_BASE_URL: 'http://localhost:1/v1' }, 'LLM_BASE_URL is set without LLM_MODEL'],
    [{ LLM_MODEL: 'm' }, 'LLM_MODEL is set without LLM_BASE_URL'],
    [{ LLM_MODEL_LIGHT: 'm' }, 'mean nothing without LLM_MODEL'],
    [{ EMBEDDING_MODEL: 'm' }, 'EMBEDDING_MODEL is set without EMBEDDING_BASE_URL'],
    [{ WECHAT_ENCODING_AES_KEY: 'too-short-a-secret' }, 'WECHAT_ENCODING_AES_KEY must be 43 characters'],
  ])('are one line each that names the setting: %j', (environment, message) => {
    const [problem, ...more] = problemsOf(environment as Record<string, string>)
    expect(problem).toContain(message)
    expect(problem).not.toMatch(/\n|secret/)
    expect(more).toEqual([])
  })

  it('are said all at once', () => {
    expect(problemsOf({ LLM_BASE_URL: 'foo', DATABASE_URL: 'foo', PRICES_FILE: '/nonexistent/a' })).toHaveLength(4)
  })

  it.each([
    {},
    { LLM_MODEL: 'm', LLM_BASE_URL: 'http://localhost:11434/v1' },
    { LLM_MODEL: 'm', LLM_API_KEY: 'k', LLM_PROVIDER: 'anthropic' },
    { DATABASE_URL: 'postgresql://user:p@ss@host:5432/name?sslmode=verify-full' },
    { DATABASE_URL: 'postgres:///name?host=/var/run/postgresql' },
    { ALLOWED_HOSTS: 'desk.example.com, *.shop.example,10.0.0.5,[fd00::1],intranet' },
    { FILE_ROOTS: folder, PRICES_FILE: file, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' },
  ])('are not these: %j', (environment) => {
    expect(problemsOf(environment as Record<string, string>)).toEqual([])
  })
})

it('a root that is not there is only warned of: nothing can be read below it', () => {
  const FILE_ROOTS = `${folder}:/nonexistent/d:${file}`
  expect(findMissingRoots({ FILE_ROOTS })).toEqual([
    'FILE_ROOTS: /nonexistent/d does not exist',
    `FILE_ROOTS: ${file} is no folder`,
  ])
  expect(problemsOf({ FILE_ROOTS })).toEqual([])
})

describe('a name that nothing reads', () => {
  const find = (given: { file?: string[]; environment?: string[]; references?: string }) =>
    findUnknownNames({ file: [], environment: [], references: '', ...given })

  it.each([
    ['API_KY', 'API_KEY'],
    ['API_KEYS', 'API_KEY'],
    ['LLM_BASEURL', 'LLM_BASE_URL'],
    ['RATE_LIMIT_PER_MINUT', 'RATE_LIMIT_PER_MINUTE'],
    ['TRUST_PORXY', 'TRUST_PROXY'],
    ['api_key', 'API_KEY'],
    ['OTEL_EXPORTER_OTLP_HEADER', 'OTEL_EXPORTER_OTLP_HEADERS'],
  ])('is named with the one that was meant: %s', (name, meant) => {
    expect(find({ environment: [name] })).toEqual([
      `The environment sets ${name}, which is no setting; ${meant} is one`,
    ])
    expect(find({ file: [name] })).toEqual([`.env sets ${name}, which is no setting; the nearest is ${meant}`])
  })

  it('is named in .env however far it is from all of ours', () => {
    expect(find({ file: ['TELEGRAM_TOKEN'] })).toHaveLength(1)
  })

  it('is nothing that other programs read, nor one of ours', () => {
    const others = [
      ...[
        'HOME',
        'PATH',
        'USER',
        'SHELL',
        'HOSTNAME',
        'LOGNAME',
        'PWD',
        'OLDPWD',
        'TERM',
        'LANG',
        'TZ',
        'MAIL',
        'EDITOR',
      ],
      ...[
        'NODE_ENV',
        'NODE_OPTIONS',
        'NODE_EXTRA_CA_CERTS',
        'NODE_COMPILE_CACHE',
        'npm_config_cache',
        'npm_lifecycle_event',
      ],
      ...['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_TIMEOUT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'],
      ...[
        'OTEL_SERVICE_NAME',
        'OTEL_RESOURCE_ATTRIBUTES',
        'OTEL_LOG_LEVEL',
        'PGHOST',
        'PGPORT',
        'PGDATABASE',
        'HTTP_PROXY',
      ],
      ...['SSH_AUTH_SOCK', 'KUBERNETES_PORT', 'FRONTDESK_PORT', 'TEST_DATABASE_URL', 'POSTGRES_PASSWORD', 'JAVA_HOME'],
    ]
    expect(find({ environment: others })).toEqual([])
    expect(find({ environment: Object.keys(settings.properties), file: Object.keys(settings.properties) })).toEqual([])
  })

  it('is nothing that the file of connectors refers to, nor a variable of Docker Compose', () => {
    const references = `headers: { authorization: "Bearer \${SHOP_TOKEN}", x: "\${API_KEY2}" }`
    expect(find({ file: ['SHOP_TOKEN', 'POSTGRES_PASSWORD'], environment: ['API_KEY2'], references })).toEqual([])
    expect(find({ file: ['SHOP_TOKE'], references })).toHaveLength(1)
  })
})
