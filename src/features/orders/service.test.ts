import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { Database } from '../../platform/postgres/index.ts'
import { DEFAULT_POLICY } from './policy.ts'
import { createBusiness } from './service.ts'

const folder = mkdtempSync(join(tmpdir(), 'frontdesk-connectors-'))
afterAll(() => rmSync(folder, { recursive: true }))

function start(yaml: string | null, environment: Record<string, string> = {}) {
  const configPath = join(folder, 'shop.yaml')
  if (yaml === null) rmSync(configPath, { force: true })
  else writeFileSync(configPath, yaml)
  const breakers = { get: () => ({ run: <T>(work: () => Promise<T>) => work() }) }
  const rest = { breakers, environment, policy: DEFAULT_POLICY, clock: { now: () => 0 }, log: { warn: () => {} } }
  return () => createBusiness({ db: {} as Database, configPath, ...rest })
}

const YAML = `connectors:
  - name: shop
    type: http
    scenes: [order_status]
    headers: { authorization: '\${TOKEN}' }
    operations: { find_order: { url: 'https://shop.example/orders/{order_key}' } }
`

it('stops the start with what is wrong, where, and never with a secret', () => {
  expect(start('connectors:\n  - name: shop\n    type: fax\n')).toThrow(
    'BUSINESS_CONFIG: shop.yaml:3: connectors[0].type must be http or mcp',
  )
  expect(start(YAML)).toThrow(/BUSINESS_CONFIG: shop\.yaml:5: .*TOKEN/)
  expect(start(YAML.replace('order_status', 'fax'), { TOKEN: 's3cret' })).toThrow(/^(?!.*s3cret).*scenes/)
  expect(start(null)).toThrow(/BUSINESS_CONFIG: .*cannot be read/)
  expect(start(YAML, { TOKEN: 's3cret' })).not.toThrow()
})
