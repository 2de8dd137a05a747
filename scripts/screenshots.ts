// `npm run screenshots`: every screen of the console, of a desk that has something to show, into docs/console.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'

const root = join(import.meta.dirname, '..')
const target = join(root, 'docs/console')
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const SIZE = { width: 1440, height: 900 }

interface Shot {
  name: string
  at: string
  ready: string
  act?: (page: Page) => Promise<unknown>
}

const data = mkdtempSync(join(tmpdir(), 'screenshots-'))
const port = await freePort()
const origin = `http://127.0.0.1:${port}`
const server = spawn(process.execPath, ['src/main.ts', '--demo'], {
  cwd: root,
  env: { ...process.env, PORT: String(port), DATA_DIR: data, LOG_LEVEL: 'warn' },
  stdio: ['ignore', 'ignore', 'inherit'],
})
try {
  await untilReady()
  const gap = await furnish()
  await takeAll(shots(gap))
} finally {
  server.kill()
  await new Promise((resolve) => server.once('close', resolve))
  rmSync(data, { recursive: true, force: true })
}

function shots(gap: string): Shot[] {
  return [
    {
      name: 'inbox',
      at: 'inbox/s-maria?tab=mine',
      ready: '.side li.passage',
      act: (page) => page.getByLabel('Reply', { exact: true }).last().fill('Hello Maria, I am sorry about the lamp.'),
    },
    { name: 'knowledge', at: 'knowledge', ready: '.document-row' },
    { name: 'playground', at: 'playground?q=How long can I return headphones?', ready: '.hit' },
    {
      name: 'gaps',
      at: `gaps/${gap}`,
      ready: '.split-detail textarea',
      act: async (page) => {
        await page
          .getByLabel('Answer', { exact: true })
          .fill('We do not take bitcoin; cards, Alipay and PayPal are welcome.')
        await page.getByRole('button', { name: 'Try it' }).click()
        await page.locator('.solution-replay').first().waitFor()
      },
    },
    { name: 'solutions', at: 'solutions', ready: '.solution-row' },
    { name: 'mining', at: 'mining', ready: 'td' },
    {
      name: 'evaluation',
      at: 'evaluation',
      ready: '.split-row',
      act: (page) => page.locator('.split-row').first().click(),
    },
    { name: 'tuner', at: 'tuner', ready: '.slider' },
    { name: 'dashboard', at: 'dashboard?days=1', ready: '.chart canvas' },
    { name: 'traces', at: 'traces', ready: '.split-row', act: (page) => page.locator('.split-row').nth(3).click() },
    { name: 'alerts', at: 'alerts', ready: '.alert-line' },
    { name: 'experiments', at: 'experiments/earlier', ready: 'tbody tr' },
    { name: 'costs', at: 'costs', ready: '.costs-numbers' },
    { name: 'settings', at: 'settings/hours', ready: '.hours-day' },
    { name: 'welcome', at: 'welcome', ready: '.welcome-step' },
  ]
}

async function takeAll(all: readonly Shot[]): Promise<void> {
  mkdirSync(target, { recursive: true })
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })
  for (const shot of all) await take(shot, { locale: 'en-GB', colorScheme: 'light' }, shot.name)
  const [inbox, , playground] = all
  if (inbox) await take({ ...inbox, act: async () => {} }, { locale: 'zh-CN', colorScheme: 'dark' }, 'inbox-zh-dark')
  if (playground) {
    const chinese = { ...playground, at: 'playground?q=退货要多久' }
    await take(chinese, { locale: 'zh-CN', colorScheme: 'dark' }, 'playground-zh-dark')
  }
  await browser.close()

  async function take(
    shot: Shot,
    look: { locale: string; colorScheme: 'light' | 'dark' },
    name: string,
  ): Promise<void> {
    const page = await (await browser.newContext({ ...look, viewport: SIZE, reducedMotion: 'reduce' })).newPage()
    await page.goto(`${origin}/#/${shot.at}`)
    await page.locator(shot.ready).first().waitFor()
    await shot.act?.(page)
    await page.waitForTimeout(700)
    await page.screenshot({ path: join(target, `${name}.png`) })
    await page.context().close()
    console.log(`docs/console/${name}.png`)
  }
}

/** Conversations and what comes of them. @returns the gap that is shown */
async function furnish(): Promise<string> {
  const ask = (session: string, user: string, message: string) =>
    post('/api/v1/chat', { session_id: session, user_id: user, message })
  await ask('s-li', 'li', '发票怎么开？')
  await ask('s-john', 'john', 'How do I clean the robot vacuum?')
  await ask('s-ann', 'ann', 'Can I pay with bitcoin?')
  await ask('s-tom', 'tom', 'Can I pay with bitcoin?')
  await ask('s-maria', 'maria', 'What is the return window?')
  await ask('s-maria', 'maria', 'And for electronics?')
  await ask('s-maria', 'maria', 'The lamp I bought flickers and nobody answers my mail. I want to talk to a person!')
  await ask('s-wang', 'wang', '刚买就降价了，可以退差价吗？')
  await ask('s-wang', 'wang', '我要人工')
  await ask('s-lea', 'lea', 'This is the third time, terrible service! I want a human now!')
  await post('/api/v1/agent/sessions/s-maria/accept', { agent_id: 'desk' })
  await post('/api/v1/agent/sessions/s-maria/notes', { content: 'Check the firmware first', agent_id: 'desk' })
  await post('/api/v1/escalation/solution', {
    question: 'How do I clean the filter of the robot vacuum?',
    solution: 'Rinse the filter under cold water, let it dry for a day, and put it back.',
  })
  await post('/api/v1/evaluation/run', {})
  await experiment()
  const tickets = Array.from({ length: 40 }, (_, index) => ({
    ticket_id: `t-${index}`,
    content:
      index % 2 ? 'How do I reset the lamp to factory settings?' : 'My parcel says delivered but I have not got it',
    solution:
      index % 2
        ? 'Hold the power key for 5 seconds until it blinks.'
        : 'We ask the carrier and send it again if need be.',
    status: 'solved',
  }))
  await post('/api/v1/mining/tickets/import', { tickets })
  await post('/api/v1/mining/tickets', {})
  const { items } = (await (await fetch(`${origin}/api/v1/knowledge/gaps`)).json()) as {
    items: { gap_id: string; question: string }[]
  }
  return items.find(({ question }) => question.includes('bitcoin'))?.gap_id ?? ''
}

/** Another threshold, judged by replies that customers found helpful. */
async function experiment(): Promise<void> {
  await post('/api/v1/operations/experiments', {
    name: 'earlier',
    description: 'Answers from a lower score on',
    variants: ['current', 'changed'],
    traffic_split: { current: 0.5, changed: 0.5 },
    metric: 'feedback',
    variant_params: { changed: { direct_answer_threshold: 0.35 } },
  })
  for (let index = 0; index < 60; index++) {
    for (const [variant, good] of [
      ['current', 31],
      ['changed', 50],
    ] as const) {
      const value = Number(index < good)
      await post('/api/v1/operations/experiments/earlier/metrics', { variant, metric_name: 'feedback', value })
    }
  }
}

async function post(path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
}

async function untilReady(): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const isReady = await fetch(`${origin}/api/v1/health`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('The service did not start')
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
