import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeSettings, readConfig, settings } from './config.ts'

const NO_FILE = '/nonexistent'
const read = (environment: Record<string, string>, file = NO_FILE) => readConfig({}, environment, file)

interface Setting {
  type?: string
  description?: string
  default?: unknown
  minimum?: number
  maximum?: number
  anyOf?: { const: string }[]
}
const all = Object.entries(settings.properties as unknown as Record<string, Setting>)

/** `.env.example` as it has to be; `vitest run src/config.test.ts -u` writes it (the other way round it is the whole suite). */
function renderExample(): string {
  const blocks = all.map(([name, setting]) => `# ${explain(setting)}\n#${name}=${String(setting.default)}\n`)
  return [
    '# Settings of Frontdesk. Copy this file to .env and change what you need: a line counts when its leading # is gone.\n' +
      '# Variables of the environment win over this file. A setting that is empty or missing has the value shown here.\n',
    ...blocks,
  ].join('\n')
}

function explain({ description = '', type, minimum, maximum, anyOf }: Setting): string {
  if (type === 'integer') return `${description} (${minimum} to ${maximum})`
  if (type === 'boolean') return `${description} (true or false)`
  return anyOf ? `${description} (${anyOf.map((each) => each.const).join(', ')})` : description
}

describe('.env.example', () => {
  it('names every setting with its meaning, its range and its default', async () => {
    await expect(renderExample()).toMatchFileSnapshot('../.env.example')
  })

  it('means the defaults when all of it is in force', () => {
    const inForce = renderExample().replace(/^#(?=[A-Z])/gm, '')
    expect(Object.keys(parseEnv(inForce)).sort()).toEqual(all.map(([name]) => name).sort())
    const { sources, ...defaults } = read({})
    expect(read(parseEnv(inForce) as Record<string, string>)).toMatchObject(defaults)
    expect(new Set(Object.values(sources))).toEqual(new Set(['default']))
  })
})

describe('settings', () => {
  it('have the defaults of the contract', () => {
    expect(read({})).toMatchObject({
      PORT: 8000,
      host: '127.0.0.1',
      API_KEY: '',
      DATA_DIR: './data',
      MAX_UPLOAD_MB: 50,
      LOG_LEVEL: 'info',
    })
  })

  it('say what they are for', () => {
    for (const [name, { description = '' }] of all) expect(description.length, name).toBeGreaterThan(10)
  })

  it('open all interfaces only with a key, unless told otherwise', () => {
    expect(read({ API_KEY: 'secret' }).host).toBe('0.0.0.0')
    expect(read({ API_KEY: 'secret', HOST: '10.0.0.5' }).host).toBe('10.0.0.5')
    expect(read({ HOST: '0.0.0.0' }).host).toBe('0.0.0.0')
  })

  it('are read as what they are', () => {
    expect(read({ PORT: ' 9000 ', TRUST_PROXY: 'true', API_KEY: '12345', LLM_PROVIDER: 'anthropic' })).toMatchObject({
      PORT: 9000,
      TRUST_PROXY: true,
      API_KEY: '12345',
      LLM_PROVIDER: 'anthropic',
    })
  })

  it('that are empty or unknown change nothing', () => {
    expect(read({ PORT: '', API_KEY: '  ', SOMETHING_ELSE: 'x' })).toEqual(read({}))
  })
})

describe('settings as they are shown', () => {
  const texts = all.filter(([, { type }]) => type === 'string').map(([name]) => name)

  it('have no secret in them, whatever is set', () => {
    const hush = Object.fromEntries(texts.map((name) => [name, `https://user:hush-${name}@host/hush-${name}`]))
    const config = read(hush)
    const shown = describeSettings(config)
    const secret = shown.filter(({ isSecret }) => isSecret).map(({ name }) => name)
    const looksSecret = /KEY$|SECRET$|TOKEN$|HEADERS$|PASSWORD$|WEBHOOK_URL$|DATABASE_URL$/
    expect(secret).toEqual(all.map(([name]) => name).filter((name) => looksSecret.test(name)))
    for (const { name, value, isSet, isSecret } of shown) {
      if (isSecret) expect({ name, value, isSet }).toEqual({ name, value: null, isSet: true })
      else expect(String(value), name).not.toContain('user:hush')
    }
  })

  it('say where they come from', () => {
    const folder = mkdtempSync(join(tmpdir(), 'frontdesk-env-'))
    const path = join(folder, '.env')
    writeFileSync(path, 'PORT=9001\nAPP_NAME=file')
    const shown = describeSettings(read({ PORT: '9002' }, path))
    rmSync(folder, { recursive: true })
    const sourceOf = (wanted: string) => shown.find(({ name }) => name === wanted)?.source
    expect(['PORT', 'APP_NAME', 'LOG_LEVEL'].map(sourceOf)).toEqual(['environment', 'file', 'default'])
  })
})

describe('.env', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'frontdesk-env-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  function file(content: string): string {
    const path = join(folder, '.env')
    writeFileSync(path, content)
    return path
  }

  it('is read, with quotes, comments and Windows line ends', () => {
    const path = file('# a comment\r\nPORT=9001\r\nAPP_NAME="A shop # 1"\r\nAPI_KEY=\'with $signs\' # why\r\n')
    expect(read({}, path)).toMatchObject({ PORT: 9001, APP_NAME: 'A shop # 1', API_KEY: 'with $signs' })
  })

  it('gives way to the environment, and comes before what the program falls back to', () => {
    const path = file('PORT=9001\nAPP_NAME=file')
    expect(readConfig({ APP_NAME: 'fallback', MAX_UPLOAD_MB: '7' }, { PORT: '9002' }, path)).toMatchObject({
      PORT: 9002,
      APP_NAME: 'file',
      MAX_UPLOAD_MB: 7,
    })
  })
})

describe('wrong settings', () => {
  it.each([
    [{ PORT: 'x' }, 'PORT'],
    [{ PORT: '70000' }, 'PORT'],
    [{ MAX_UPLOAD_MB: '0' }, 'MAX_UPLOAD_MB'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
    [{ TRUST_PROXY: 'perhaps' }, 'TRUST_PROXY'],
  ])('are named: %j', (environment, name) => {
    expect(() => read(environment)).toThrow(new RegExp(`^Wrong settings: ${name} must be `))
  })

  it('are named all at once, each with what it should be', () => {
    const wrong = {
      PORT: '-1',
      LOG_LEVEL: 'loud',
      MAX_UPLOAD_MB: '1.5',
      TRUST_PROXY: 'maybe',
      DATABASE_POOL_SIZE: '0x10',
    }
    expect(() => read(wrong)).toThrow(
      'Wrong settings: PORT must be a whole number from 0 to 65535, not "-1"; ' +
        'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, not "loud"; ' +
        'TRUST_PROXY must be true or false, not "maybe"; ' +
        'DATABASE_POOL_SIZE must be a whole number from 2 to 200, not "0x10"; ' +
        'MAX_UPLOAD_MB must be a whole number from 1 to 1024, not "1.5"',
    )
  })

  it.each(['80.5', 'true', '1e3', '0x10', '8000abc', '٣'])('no number is made of %s', (PORT) => {
    expect(() => read({ PORT })).toThrow(`not "${PORT}"`)
  })

  it('never show a secret', () => {
    const secrets = { API_KEY: 'secret-1', LLM_API_KEY: 'secret-2', DATABASE_URL: 'postgres://u:secret-3@h/d' }
    const error = (() => {
      try {
        read({ ...secrets, PORT: 'x' })
      } catch (reason) {
        return String(reason)
      }
    })()
    expect(error).toContain('PORT')
    expect(error).not.toContain('secret')
  })
})
