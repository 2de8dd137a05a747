import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { GENERATED, generateClient } from '../../scripts/client/generate.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { ROOT } from './support/package.ts'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp({ API_KEY: 'key' })
})
afterAll(() => test.close())

it('is made of the API description as it is: `npm run client` after a change of any endpoint', async () => {
  const files = generateClient((await test.call('GET', '/openapi.json')).body)
  const committed = Object.keys(files).map((name) => [name, readFileSync(join(ROOT, GENERATED, name), 'utf8')])
  // Names alone, since the texts have thousands of lines.
  expect(committed.filter(([name = '', text]) => files[name] !== text).map(([name]) => name)).toEqual([])
})
