import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { afterEach, describe, expect, it } from 'vitest'
import { createMcpShop } from '../../../../test/support/mcp-shop.ts'
import { createMemoryLedger } from '../../../../test/support/memory-records.ts'
import { createBreaker } from '../../../platform/breaker.ts'
import { systemClock } from '../../../platform/clock.ts'
import type { Change } from '../types.ts'
import { parseBusinessConfig } from './config.ts'
import { createConnectors, type ServedConnector } from './index.ts'

const servers: Server[] = []
const opened: ServedConnector[] = []

afterEach(async () => {
  await Promise.all(opened.splice(0).map((served) => served.close?.()))
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))))
})

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function connect(yaml: string, failureThreshold = 3, env = { SHOP_TOKEN: 'secret' }) {
  const config = parseBusinessConfig(yaml, 'shop.yaml', env)
  const breakerFor = (name: string) =>
    createBreaker({ name, failureThreshold, recoveryTimeoutMs: 60_000, clock: systemClock })
  const [served] = createConnectors(config, { breakerFor, ledger: createMemoryLedger() })
  if (!served) throw new Error('no connector')
  opened.push(served)
  return served.connector
}

const responseYaml = `
        response:
          root: order
          fields:
            order_id: number
            user_id: owner
            status: state
            items: { path: lines, fields: { name: title, price: unit } }
            total: $.sum
            tracking_ids: 'parcels[*]'
          values: { status: { SHIPPED: processed } }`

function httpYaml(port: number, more = ''): string {
  return `
allow_hosts: ['127.0.0.1:${port}']
connectors:
  - name: shop
    type: http
    scenes: [order_status, cancel]
    timeout_ms: 500
    headers: { authorization: 'Bearer \${SHOP_TOKEN}' }
    operations:
      find_order:
        url: http://127.0.0.1:${port}/orders/{order_key}?full={order_id}${responseYaml}
      find_customer:
        url: http://127.0.0.1:${port}/customers/{user_id}
      list_orders:
        url: http://127.0.0.1:${port}/customers/{user_id}/orders
      apply_change:
        url: http://127.0.0.1:${port}/orders/{order_id}/{kind}
        kinds: [cancel]
        body: { why: '{reason}', lines: '{items}', text: 'for {user_id}' }
${more}`
}

const order = {
  number: 'W1',
  owner: 'u1',
  state: 'SHIPPED',
  lines: [{ title: 'Lamp', unit: '47.84' }],
  sum: 47.84,
  parcels: [357962501027],
}

const change: Change = {
  idempotency_key: 'k1',
  kind: 'cancel',
  user_id: 'u1',
  order_id: '#W1',
  expected_status: 'pending',
  items: ['Lamp'],
  reason: 'no longer needed',
  address: null,
}

describe('HTTP connector', () => {
  it('fills the URL, sends the secret and maps the answer to our fields', async () => {
    const seen: unknown[] = []
    const port = await serve((request, response) => {
      seen.push([request.url, request.headers.authorization])
      response.end(JSON.stringify({ order }))
    })
    expect(await connect(httpYaml(port)).findOrder('#w1')).toEqual({
      order_id: 'W1',
      user_id: 'u1',
      status: 'processed',
      items: [{ name: 'Lamp', price: 47.84 }],
      total: 47.84,
      tracking_ids: ['357962501027'],
      payment_history: [],
      address: null,
      cancel_reason: null,
    })
    expect(seen).toEqual([['/orders/W1?full=%23w1', 'Bearer secret']])
  })

  it('keeps a hostile value inside its segment', async () => {
    const seen: unknown[] = []
    const port = await serve((request, response) => {
      seen.push(request.url)
      response.writeHead(404).end()
    })
    const shop = connect(httpYaml(port))
    expect(await shop.findCustomer('../admin?x=1#y')).toBeNull()
    expect(seen).toEqual(['/customers/..%2Fadmin%3Fx%3D1%23y'])
    await expect(shop.findCustomer('..')).rejects.toMatchObject({ code: 'bad_identifier' })
  })

  it('refuses an answer about another order or without the fields', async () => {
    const port = await serve((request, response) => {
      response.end(request.url?.startsWith('/orders/W2') ? JSON.stringify({ order }) : '{"order":{"number":{}}}')
    })
    const shop = connect(httpYaml(port))
    await expect(shop.findOrder('W2')).rejects.toMatchObject({ code: 'connector_bad_response' })
    await expect(shop.findOrder('W1')).rejects.toMatchObject({ code: 'connector_bad_response' })
  })

  it('opens the breaker after failures of the system, not after unknown orders', async () => {
    let status = 404
    let calls = 0
    const port = await serve((_, response) => {
      calls += 1
      response.writeHead(status).end()
    })
    const shop = connect(httpYaml(port), 2)
    for (let attempt = 0; attempt < 5; attempt++) expect(await shop.findOrder('W1')).toBeNull()
    status = 503
    for (let attempt = 0; attempt < 2; attempt++) {
      await expect(shop.findOrder('W1')).rejects.toMatchObject({ code: 'connector_failed' })
    }
    await expect(shop.findOrder('W1')).rejects.toMatchObject({ code: 'circuit_open' })
    expect(calls).toBe(7)
  })

  it('gives up on a slow system', async () => {
    const port = await serve(() => undefined)
    await expect(connect(httpYaml(port)).findOrder('W1')).rejects.toMatchObject({ code: 'outbound_timeout' })
  })

  it('sends a change once with its key, and never again when its end is unknown', async () => {
    const seen: unknown[] = []
    let status = 200
    const port = await serve(async (request, response) => {
      seen.push([request.method, request.url, request.headers['idempotency-key'], JSON.parse(await bodyOf(request))])
      response.writeHead(status).end()
    })
    const shop = connect(httpYaml(port))
    expect(shop.changes).toEqual(['cancel'])
    const outcomes = await Promise.all([shop.applyChange(change), shop.applyChange(change)])
    expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(['done', 'unknown'])
    expect((await shop.applyChange(change)).status).toBe('repeated')
    expect(seen).toEqual([
      ['POST', '/orders/%23W1/cancel', 'k1', { why: 'no longer needed', lines: ['Lamp'], text: 'for u1' }],
    ])
    status = 500
    const next = { ...change, idempotency_key: 'k2' }
    await expect(shop.applyChange(next)).rejects.toMatchObject({ code: 'connector_failed' })
    expect((await shop.applyChange(next)).status).toBe('unknown')
    status = 409
    expect((await shop.applyChange({ ...change, idempotency_key: 'k3' })).status).toBe('conflict')
    expect(seen).toHaveLength(3)
  })

  it('does not reach a private address that is not allowed', async () => {
    const yaml = httpYaml(80).replace(/allow_hosts.*/, '')
    await expect(connect(yaml).findOrder('W1')).rejects.toMatchObject({ code: 'outbound_refused' })
  })
})

function mcpYaml(server: string, tool = 'get_order', allow = ''): string {
  return `${allow}
connectors:
  - name: erp
    type: mcp
    scenes: [logistics]
    timeout_ms: 20000
    server: ${server}
    operations:
      find_order:
        tool: ${tool}
        arguments: { id: '{order_id}' }
        not_found_text: not found${responseYaml}
      find_customer: { tool: crash }
`
}

describe('MCP connector', () => {
  const child = JSON.stringify({
    command: process.execPath,
    args: [new URL('../../../../test/support/mcp-shop.ts', import.meta.url).pathname],
  })
  const mapped = { order_id: 'W1', status: 'processed', tracking_ids: ['357962501027'] }

  it('calls the tool of a child process and maps its answer', async () => {
    expect(await connect(mcpYaml(child)).findOrder('#W1')).toMatchObject(mapped)
  })

  it('knows an order that does not exist from a failure', async () => {
    expect(await connect(mcpYaml(child, 'no_order')).findOrder('#W1')).toBeNull()
    await expect(connect(mcpYaml(child, 'no_such_tool')).findOrder('#W1')).rejects.toMatchObject({
      code: 'connector_failed',
    })
  })

  it('starts the process again after it died', async () => {
    const erp = connect(mcpYaml(child))
    await expect(erp.findCustomer('u1')).rejects.toMatchObject({ code: 'connector_failed' })
    expect(await erp.findOrder('#W1')).toMatchObject(mapped)
  })

  it('calls a server over HTTP, through the checked client', async () => {
    const seen: unknown[] = []
    const port = await serve(async (request, response) => {
      seen.push(request.headers.authorization)
      const transport = new StreamableHTTPServerTransport()
      await createMcpShop().connect(transport as Parameters<ReturnType<typeof createMcpShop>['connect']>[0])
      await transport.handleRequest(request, response)
    })
    const server = `{ url: 'http://127.0.0.1:${port}/mcp', headers: { authorization: '\${SHOP_TOKEN}' } }`
    const allowed = connect(mcpYaml(server, 'get_order', "allow_hosts: ['127.0.0.1']"))
    expect(await allowed.findOrder('#W1')).toMatchObject(mapped)
    expect(new Set(seen)).toEqual(new Set(['secret']))
    await expect(connect(mcpYaml(server)).findOrder('#W1')).rejects.toMatchObject({ code: 'connector_failed' })
  })
})

describe('connector file', () => {
  const valid = httpYaml(80)

  it.each([
    [
      'scenes: [order_status, cancel]',
      'scenes: [orders]',
      /^shop\.yaml:6: connectors\[0\]\.scenes\[0\] must be one of order_status/,
    ],
    ['timeout_ms: 500', 'timeout_ms: soon', /connectors\[0\]\.timeout_ms must be integer/],
    ['timeout_ms: 500', 'timeout: 500', /connectors\[0\]\.timeout is not a known setting/],
    ['type: http', 'type: soap', /connectors\[0\]\.type must be http or mcp/],
    ['SHOP_TOKEN', 'NO_TOKEN', /headers\.authorization needs the environment variable NO_TOKEN/],
    ['{order_key}?', '{order}?', /find_order\.url \{order\} is unknown/],
    [
      'http://127.0.0.1:80/orders/{order_id}',
      'http://{order_id}.example/',
      /apply_change\.url has a placeholder in its host/,
    ],
    ['http://127.0.0.1:80/customers/{user_id}\n', 'customers/{user_id}\n', /find_customer\.url is not a URL/],
    ['total: $.sum', 'total: sum..x', /response\.fields\.total "sum\.\.x" is not a path/],
    ['kinds: [cancel]', 'kinds: [destroy]', /kinds\[0\] must be one of cancel/],
    ['operations:', 'operations: [', /^shop\.yaml: /],
  ])('names what is wrong when %s is %s', (from, to, message) => {
    expect(valid).toContain(from)
    expect(() => parseBusinessConfig(valid.replace(from, to), 'shop.yaml', { SHOP_TOKEN: 'x' })).toThrow(message)
  })

  it('accepts the file that the documentation shows', () => {
    const page = readFileSync(
      new URL('../../../../docs/decisions/0031-business-connectors.md', import.meta.url),
      'utf8',
    )
    const yaml = /```yaml\n([^`]+)```/.exec(page)?.[1] ?? ''
    const { connectors } = parseBusinessConfig(yaml, 'docs.yaml', { SHOP_TOKEN: 'x', WAREHOUSE_KEY: 'y' })
    expect(connectors.map(({ name }) => name)).toEqual(['shop', 'warehouse'])
  })

  it('wants one kind of MCP server and each name once', () => {
    expect(() => parseBusinessConfig(mcpYaml('{}'), 'a.yaml', {})).toThrow('needs either url or command')
    const twice = valid + valid.slice(valid.indexOf('  - name'))
    expect(() => parseBusinessConfig(twice, 'a.yaml', { SHOP_TOKEN: 'x' })).toThrow('shop is used twice')
  })
})
