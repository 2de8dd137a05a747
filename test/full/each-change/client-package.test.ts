import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { conversationOf, writeProject } from '../../client/support/package.ts'
import { originOf } from '../../support/event-stream.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

let folder: string
beforeAll(() => {
  folder = writeProject()
  writeFileSync(join(folder, 'conversation.ts'), conversationOf())
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('the built package', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await createTestApp({ API_KEY: 'secret' })
  })
  afterAll(() => test.close())

  it('has types that fit the conversation of the README', () => {
    const options = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--lib',
      'es2022,dom',
      '--types',
      '',
    ]
    const { stdout } = spawnSync('tsc', [...options, 'conversation.ts'], { cwd: folder, encoding: 'utf8' })
    expect(stdout).toBe('')
  })

  it('holds the conversation of the README with a running service', async () => {
    const env = { ...process.env, FRONTDESK_URL: await originOf(test.app), FRONTDESK_KEY: 'secret' }
    const program = spawn(process.execPath, ['conversation.ts'], { cwd: folder, env })
    let said = ''
    for (const output of [program.stdout, program.stderr]) output.on('data', (bytes) => (said += bytes))
    const [code] = await once(program, 'close')
    expect(said).toMatch(/10:00 to 18:30/)
    expect(said).toMatch(/true customer_request\nagent Hello, this is Anna\. What can I do\?\nrated 5\n$/)
    expect(code).toBe(0)
  })

  it('brings into a page what the page uses, and nothing else', async () => {
    const sizes = await sizesOf({
      one: "import { createClient, streamAnswer } from 'frontdesk-client'; globalThis.use = [createClient, streamAnswer]",
      all: "import * as all from 'frontdesk-client'; globalThis.use = all",
    })
    // Grown on purpose? Then these grow, too. Measured: 2,552 and 6,557 bytes.
    expect(sizes.one).toBeLessThan(2_700)
    expect(sizes.one).toBeGreaterThan(1_000)
    expect(sizes.all).toBeLessThan(7_200)
  })
})

/** Bytes of each page's script as a browser loads it, compressed by gzip. */
async function sizesOf<K extends string>(pages: Record<K, string>): Promise<Record<K, number>> {
  const sizes = {} as Record<K, number>
  for (const [name, script] of Object.entries(pages) as [K, string][]) {
    writeFileSync(join(folder, `${name}.js`), script)
    writeFileSync(join(folder, `${name}.html`), `<script type="module" src="./${name}.js"></script>`)
    await build({
      root: folder,
      configFile: false,
      logLevel: 'silent',
      build: {
        outDir: `page-${name}`,
        rollupOptions: { input: join(folder, `${name}.html`), output: { entryFileNames: 'page.js' } },
      },
    })
    const code = readFileSync(join(folder, `page-${name}/page.js`))
    expect(code.toString()).toContain(name === 'one' ? '/api/v1/chat/stream' : '/api/v1/webhooks')
    if (name === 'one') expect(code.toString()).not.toContain('/api/v1/webhooks')
    sizes[name] = gzipSync(code).length
  }
  return sizes
}
