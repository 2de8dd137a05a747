import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Page } from 'playwright-core'
import { encodeForm, type TestApp } from '../../support/test-app.ts'

const SAMPLE = join(import.meta.dirname, '../../../sample')
const PASSWORD = 'correct horse battery'

/** The sample shop: its documents, customers and orders. */
export async function loadShop(test: TestApp, languages: readonly string[] = ['en', 'zh']): Promise<void> {
  for (const language of languages) {
    const folder = join(SAMPLE, 'help-centre', language)
    for (const name of readdirSync(folder)) {
      await test.upload(readFileSync(join(folder, name)), name, { register: 'true', knowledge_type: 'faq' })
    }
  }
  for (const kind of ['customers', 'orders']) {
    const path = join(SAMPLE, `${kind}.jsonl`)
    const { body, contentType } = encodeForm(readFileSync(path), basename(path), { kind })
    await test.call('POST', '/api/v1/business/import', body, { 'content-type': contentType })
  }
}

/** What a customer is told. */
export async function askAs(test: TestApp, session: string, message: string, user = session): Promise<string> {
  const { body } = await test.call('POST', '/api/v1/chat', { session_id: session, user_id: user, message })
  return body.reply
}

/** Somebody who may log in by the page. */
export async function addPerson(test: TestApp, name: string, role: 'agent' | 'editor' | 'admin'): Promise<void> {
  await test.call('POST', '/api/v1/console/people', { name, role, password: PASSWORD })
}

export async function logIn(page: Page, name: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.getByRole('navigation', { name: 'Screens' }).waitFor()
}
