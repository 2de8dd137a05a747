import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf } from '../../support/event-stream.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'
import { hasBrowser, openBrowser, type Tab } from '../support/browser.ts'
import { expectClean, openConsole } from '../support/console.ts'
import { addPerson, askAs, loadShop, logIn } from '../support/shop.ts'

const QUESTION = 'Do your lamps come with a carrying bag?'
const ANSWER = 'Every lamp comes with a cotton carrying bag, free of charge.'

describe.runIf(hasBrowser)('a conversation in the console', { timeout: 180_000 }, () => {
  let test: TestApp
  let browser: Browser
  let origin: string
  let anna: Tab
  let ben: Tab
  beforeAll(async () => {
    test = await createTestApp({ API_KEY: 'a key that is long enough' })
    await loadShop(test, ['en'])
    await addPerson(test, 'anna', 'editor')
    await addPerson(test, 'ben', 'agent')
    await test.call('POST', '/api/v1/agent/replies', {
      title: 'Greeting',
      content: 'Hello, this is {{agent.name}} of Lantern. How can I help?',
      shortcut: 'hi',
    })
    browser = await openBrowser()
    origin = await originOf(test.app)
    anna = await openConsole(browser, origin)
    await logIn(anna.page, 'anna')
    ben = await openConsole(browser, origin)
    await logIn(ben.page, 'ben')
  })
  afterAll(async () => {
    await browser?.close()
    await test?.close()
  })

  const messages = async (): Promise<{ role: string; content: string }[]> => {
    const { body } = await test.call('GET', '/api/v1/chat/sessions/s-maria/messages?user_id=maria')
    return body.messages
  }
  const row = (page: Page) => page.getByRole('list', { name: 'Conversations' }).getByRole('link', { name: /maria/ })
  const composer = (page: Page) => page.getByRole('form', { name: 'Reply or note' }).locator('textarea')

  it('is waited for, and appears by itself', async () => {
    await anna.page.getByText('Nobody waits').waitFor()
    await askAs(test, 's-maria', QUESTION, 'maria')
    await askAs(test, 's-maria', 'I want to talk to a person, please.', 'maria')
    await row(anna.page).waitFor()
    await row(ben.page).waitFor()
    await anna.page.keyboard.press('j')
    await anna.page
      .getByRole('heading', { name: 'The customer asked for a person' })
      .or(anna.page.getByText('The customer asked for a person'))
      .first()
      .waitFor()
    await expectClean(anna)
  })

  it('is taken with one key, and answered', async () => {
    const { page } = anna
    await page.keyboard.press('a')
    await page.getByText('You have the conversation').waitFor()
    await page.keyboard.press('r')
    await composer(page).fill('Hello Maria, one moment.')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('article', { name: 'You' }).getByText('Hello Maria, one moment.').waitFor()
    await expect
      .poll(async () => (await messages()).some(({ content }) => content === 'Hello Maria, one moment.'))
      .toBe(true)
    expect(await composer(page).inputValue()).toBe('')
    await expectClean(anna)
  })

  it('shows what the customer writes while somebody looks', async () => {
    await test.call('POST', '/api/v1/chat/sessions/s-maria/typing')
    await anna.page.getByText('The customer is writing …').waitFor()
    await askAs(test, 's-maria', 'It is for the Aurora lamp.', 'maria')
    await anna.page.getByRole('article', { name: 'Customer' }).getByText('It is for the Aurora lamp.').waitFor()
  })

  it('is helped by a saved reply, a look-up with masked values, and the knowledge base', async () => {
    const { page } = anna
    await page.getByRole('button', { name: 'Saved replies' }).click()
    await page.getByRole('button', { name: 'Use: Greeting' }).click()
    await expect.poll(() => composer(page).inputValue()).toContain('this is anna of Lantern')
    await composer(page).fill('')

    await page.getByRole('textbox', { name: 'Look up' }).fill('Where is my order?')
    await page.getByRole('button', { name: 'Look up' }).click()
    await page.getByRole('button', { name: 'Into the reply' }).waitFor()

    await page.getByRole('searchbox', { name: 'Search the knowledge base' }).fill('warranty of the lamp')
    const passage = page.locator('.passage', { hasText: 'products.en.md' }).first()
    await passage.waitFor()
    await passage.getByRole('button', { name: /^Use/ }).click()
    await expect.poll(() => composer(page).inputValue()).not.toBe('')
    await page.getByText('Drafted from products.en.md').waitFor()
    await composer(page).fill('')
    await expectClean(anna)
  })

  it('keeps a draft for its author, also after a reload', async () => {
    const { page } = anna
    await composer(page).fill('I will ask a colleague')
    await page.getByText('Draft kept').waitFor()
    await page.reload()
    await expect.poll(() => composer(page).inputValue()).toBe('I will ask a colleague')
    await composer(page).fill('')
  })

  it('goes to a colleague with a note, who has it at once', async () => {
    const { page } = anna
    await page.getByRole('tab', { name: 'Note' }).click()
    await composer(page).fill('She has the Aurora lamp @ben')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('article', { name: 'Note' }).getByText('She has the Aurora lamp @ben').waitFor()
    await page.getByRole('button', { name: 'Transfer' }).first().click()
    await page.getByLabel('Note for the colleague').fill('Please take over')
    await page.getByRole('button', { name: 'Transfer: ben' }).click()
    await page.getByText('Given to ben').first().waitFor()

    await ben.page.getByRole('tab', { name: /Mine 1/ }).click()
    await row(ben.page).click()
    await ben.page.getByRole('article', { name: 'Note' }).getByText('She has the Aurora lamp @ben').waitFor()
    await ben.page.getByText('Please take over').waitFor()
    expect((await messages()).some(({ content }) => /Aurora lamp @ben|Please take over/.test(content))).toBe(false)
    await expectClean(ben)
  })

  it('is not answered by somebody who does not have it', async () => {
    await anna.page.getByText('ben has this conversation').waitFor()
    expect(await anna.page.getByRole('button', { name: 'Send' }).count()).toBe(0)
  })

  it('is resolved, and what was answered becomes a draft', async () => {
    const { page } = ben
    await composer(page).fill(ANSWER)
    await page.keyboard.press('Control+Enter')
    await page.getByRole('article', { name: 'You' }).getByText(ANSWER).waitFor()
    await page.getByRole('heading', { name: 'maria' }).click()
    await page.keyboard.press('e')
    await page.getByText('This conversation is resolved.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone').waitFor()
    await page.getByRole('button', { name: 'Resolve' }).waitFor()
    await page.getByRole('heading', { name: 'maria' }).click()
    await page.keyboard.press('e')
    await page.getByText('This conversation is resolved.').waitFor()
    await expectClean(ben)
  })

  it('leaves a solution that is approved with its replay, and answers the next customer', async () => {
    expect(await askAs(test, 's-next', QUESTION)).not.toContain('cotton carrying bag')
    const { page } = anna
    await page.goto(`${origin}/#/solutions?status=draft`)
    await page
      .getByRole('link', { name: /carrying bag/ })
      .first()
      .click()
    await page.getByLabel('Question').fill(QUESTION)
    await page.getByLabel('Answer', { exact: true }).fill(ANSWER)
    await page.getByRole('button', { name: 'Try it' }).click()
    await page.locator('.solution-replay', { hasText: QUESTION }).getByText('answered now').first().waitFor()
    await expectClean(anna)
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await page.getByText('Published: the next customer gets this answer').waitFor()
    expect(await askAs(test, 's-after', QUESTION)).toContain('cotton carrying bag')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone').waitFor()
    expect(await askAs(test, 's-undone', QUESTION)).not.toContain('cotton carrying bag')
  })

  it('shows how a reply came about, and leads back', async () => {
    await askAs(test, 's-trace', 'What is the return window?', 'tom')
    const { page } = anna
    await page.goto(`${origin}/#/inbox/s-trace?tab=all`)
    const reply = page.getByRole('article', { name: 'Assistant' })
    await reply.hover()
    await reply.getByRole('link', { name: 'How this answer came about' }).click()
    const steps = page.getByRole('list', { name: 'Steps' })
    await steps.getByRole('button', { name: /Understanding/ }).waitFor()
    await steps
      .getByRole('button', { name: /Search/ })
      .first()
      .click()
    await steps.getByRole('button', { pressed: true }).press('ArrowDown')
    await expectClean(anna)
    await page.getByRole('link', { name: 'Open the conversation' }).click()
    await page.getByRole('article', { name: 'Customer' }).getByText('What is the return window?').waitFor()
  })

  it('is taken over from the assistant with one key, and given back', async () => {
    const { page } = anna
    await page.keyboard.press('a')
    await page.getByText('You have the conversation').waitFor()
    await page.getByRole('button', { name: 'Give back' }).click()
    await page.getByRole('button', { name: 'To the assistant' }).click()
    await page.getByText('The assistant answers. Take over to write yourself.').waitFor()
  })

  it('keeps what could not be sent, and sends it once', async () => {
    const { page, context } = anna
    await page.keyboard.press('a')
    await composer(page).waitFor()
    await page.getByRole('tab', { name: 'Reply' }).waitFor()
    await context.setOffline(true)
    await composer(page).fill('Are you there?')
    await page.keyboard.press('Control+Enter')
    const unsent = page.locator('.message.is-unsent')
    await unsent.getByText(/^Not sent/).waitFor()
    await page.getByText('The service cannot be reached.').first().waitFor()
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByRole('article', { name: 'You' }).getByText('Are you there?').waitFor()
    await expect.poll(() => unsent.count()).toBe(0)
    const { body } = await test.call('GET', '/api/v1/chat/sessions/s-trace/messages?user_id=tom')
    expect(body.messages.filter(({ content }: { content: string }) => content === 'Are you there?')).toHaveLength(1)
  })
})
