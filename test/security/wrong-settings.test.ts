import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyOfTemplate } from '../support/test-database.ts'

const main = new URL('../../src/main.ts', import.meta.url).pathname

describe('the program, started with what is wrong', () => {
  let folder: string
  let dataDir: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'frontdesk-start-'))
    dataDir = await copyOfTemplate()
    writeFileSync(join(folder, 'prices.yaml'), 'currency: EUR\nmodels:\n  m: {input: much, output: 1}\n')
    writeFileSync(join(folder, 'connectors.yaml'), 'connectors: []\n')
    writeFileSync(join(folder, 'keys.json'), '{"keys": [{"name": "hush"}]}', { mode: 0o600 })
  })
  afterAll(() => {
    for (const each of [folder, dataDir]) rmSync(each, { recursive: true, force: true })
  })

  async function start(environment: Record<string, string>): Promise<{ code: number | null; said: string[] }> {
    const env = { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'fatal', ...environment }
    const child = spawn(process.execPath, [main], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
    return { code, said: said.split('\n').filter((line) => line !== '') }
  }

  it.each([
    [{ PORT: 'x', LLM_BASE_URL: 'foo' }, ['PORT must be a whole number']],
    [
      { LLM_BASE_URL: 'foo', DATABASE_URL: 'foo:hush@bar' },
      ['DATABASE_URL must be', 'LLM_BASE_URL must be', 'LLM_BASE_URL is set without LLM_MODEL'],
    ],
    [{ DATABASE_URL: 'postgres://user:hush@127.0.0.1:1/shop' }, ['DATABASE_URL: The database cannot be reached']],
    [
      { GLOSSARY_FILE: 'missing.txt', PRICES_FILE: 'nowhere' },
      ['PRICES_FILE: nowhere', 'GLOSSARY_FILE: missing.txt does not'],
    ],
    [{ PRICES_FILE: 'prices.yaml' }, ['PRICES_FILE: m.input must be a number']],
    [{ BUSINESS_CONFIG: 'connectors.yaml' }, ['BUSINESS_CONFIG: ']],
    [{ API_KEYS_FILE: 'keys.json' }, ['API_KEYS_FILE: keys.json is wrong: keys[0]']],
    [{ HOST: 'no-such-host.invalid' }, ['it cannot listen on no-such-host.invalid']],
  ])(
    'ends with a line for each, the exit code 1 and no stack: %j',
    async (environment, expected) => {
      const { code, said } = await start(environment as unknown as Record<string, string>)
      expect(code).toBe(1)
      expect(said).toHaveLength(expected.length)
      for (const [index, text] of expected.entries()) {
        expect(said[index]).toMatch(/^Frontdesk cannot start: /)
        expect(said[index]).toContain(text)
      }
      expect(said.join('\n')).not.toMatch(/hush|\n {4}at |node:internal/)
    },
    120_000,
  )
})
