// `npm run client`: makes the generated part of clients/typescript of the API description. Run it after a change of any
// endpoint; a test compares.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { createLog } from '../src/platform/log.ts'
import { openDatabase } from '../src/platform/postgres/index.ts'
import { GENERATED, generateClient } from './client/generate.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'frontdesk-client-'))
const config = readConfig({}, { LOG_LEVEL: 'silent', API_KEY: 'unused', DATA_DIR: dataDir }, '/nonexistent')
const db = await openDatabase({ dataDir, log: { info() {}, warn() {}, fatal: console.error } })
const app = await createApp(config, db, createLog('silent'))
await app.ready()
const files = generateClient((await app.inject('/openapi.json')).json())
await app.close()
await db.close()
rmSync(dataDir, { recursive: true })
for (const [name, text] of Object.entries(files)) writeFileSync(join(import.meta.dirname, '..', GENERATED, name), text)
