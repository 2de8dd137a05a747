import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { open } from './auth.ts'
import { watchGuesses } from './guessing.ts'
import { type App, createHttpServer } from './server.ts'

function watched() {
  const lines: Record<string, unknown>[] = []
  let now = 0
  const note = watchGuesses({ now: () => now, log: { warn: (details) => void lines.push({ ...details }) } })
  const notes = (address: string, times: number) => {
    for (let count = 0; count < times; count++) note(address)
  }
  return { lines, notes, later: (ms: number) => (now += ms) }
}

describe('wrong keys', () => {
  it('are a few lines a minute of each address, and the next line says how many were left out', () => {
    const { lines, notes, later } = watched()
    notes('203.0.113.1', 100)
    notes('203.0.113.2', 1)
    expect(lines.map(({ address }) => address)).toEqual([...Array(3).fill('203.0.113.1'), '203.0.113.2'])
    later(60_000)
    notes('203.0.113.1', 1)
    expect(lines.at(-1)).toMatchObject({ address: '203.0.113.1', suppressed: 97 })
  })

  it('from many addresses do not flood the log either', () => {
    const { lines, notes, later } = watched()
    for (let address = 0; address < 20_000; address++) notes(`10.${address >> 8}.${address & 255}.1`, 1)
    expect(lines).toHaveLength(60)
    later(60_000)
    notes('203.0.113.9', 1)
    expect(lines.at(-1)).toMatchObject({ suppressed: 0, suppressed_of_all: 19_940 })
  })
})

describe('a server', () => {
  let app: App
  let told = 0
  const written: string[] = []
  beforeAll(async () => {
    const logger = pino({ level: 'warn' }, { write: (line: string) => void written.push(line) })
    const limits = { headersTimeoutMs: 1_000, requestTimeoutMs: 1_000 }
    app = createHttpServer({ logger, apiKey: 'the key', trustProxy: false, ...limits, onWrongKey: () => (told += 1) })
    app.get('/keyed', async () => ({}))
    app.get('/open', { config: open }, async () => ({}))
    await app.ready()
  })
  afterAll(() => app.close())

  it('notes wrong keys, on open routes too, with the address and without the key', async () => {
    const ask = (url: string, key?: string) =>
      app.inject({ url, remoteAddress: '203.0.113.7', ...(key === undefined ? {} : { headers: { 'x-api-key': key } }) })
    expect((await ask('/keyed', 'hush-a-guess')).statusCode).toBe(401)
    expect((await ask('/open', 'hush-another')).statusCode).toBe(200)
    await ask('/keyed')
    await ask('/keyed', '')
    await ask('/keyed', 'the key')
    expect(told).toBe(2)
    expect(written).toHaveLength(2)
    expect(JSON.parse(written[0] ?? '')).toMatchObject({ level: 40, address: '203.0.113.7' })
    expect(written.join('')).not.toContain('hush')
  })
})
