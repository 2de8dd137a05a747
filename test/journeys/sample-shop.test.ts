import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const HELP_CENTRE = join(import.meta.dirname, '../../sample/help-centre')
const CLOSEST = /closest I have|最接近|没有找到/

/** Questions as customers write them, and what the whole reply must hold; decisions 0166 and 0167 tell of them. */
describe('the sample shop, asked in few words', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await createTestApp()
    for (const path of readdirSync(HELP_CENTRE, { recursive: true, encoding: 'utf8' })) {
      if (!path.includes('.')) continue
      const { status } = await test.upload(readFileSync(join(HELP_CENTRE, path)), basename(path))
      expect([path, status]).toEqual([path, 200])
    }
  })
  afterAll(() => test.close())

  let asked = 0
  const say = async (message: string): Promise<string> =>
    (await test.call('POST', '/api/v1/chat', { message, session_id: `asked-${asked++}` })).body.reply

  it.each([
    ['发票怎么开', '申请发票'],
    ['有人自称你们客服让我转账', '立即挂断'],
    ['what are your opening hours', 'every day 9:00–21:00'],
    ['你们几点上班', '9:00–21:00'],
    ['几点关门', '22:00'],
    ['礼拜天开门吗', '22:00'],
    ['shipping to singapore', 'Singapore | 6–10 days'],
    ['how much is shipping to malaysia', 'Malaysia | 7–12 days | ¥75'],
    ['delivery to xinjiang', '5–8 days'],
    ['how much is the office chair', '¥899'],
    ['how much is the air purifier', '¥1,299'],
    ['扫地机器人多少钱', '¥2,199'],
    ['do points expire', 'month 12'],
  ])('answers %s surely', async (question, fact) => {
    const reply = await say(question)
    expect(reply).toContain(fact)
    expect(reply).not.toMatch(CLOSEST)
  })

  it.each([
    ['do you ship to germany', 'overseas countries that are not in this table'],
    ['can you deliver to South Korea?', 'Singapore'],
    ['寄到德国吗', '不配送到上表以外的海外国家'],
    ['多久能到美国', '不配送到上表以外的海外国家'],
    ['i live in france, can i order', 'overseas'],
  ])('shows for %s what is said of countries', async (question, fact) => {
    expect(await say(question)).toContain(fact)
  })

  it.each([
    ['shipping to singapore', 'Xinjiang'],
    ['how much is shipping to malaysia', 'Xinjiang'],
  ])('answers %s of nothing else', async (question, other) => {
    expect(await say(question)).not.toContain(other)
  })
})
