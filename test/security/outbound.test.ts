import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createOpenAiEmbedder } from '../../src/ai/embedder/openai.ts'
import { createHttpReranker } from '../../src/ai/reranker/http.ts'
import { checkedWebhookUrl } from '../../src/features/channels/dingtalk/webhook.ts'
import { postToPlatform } from '../../src/features/channels/platform-call.ts'
import { createWebhook } from '../../src/features/monitoring/index.ts'
import { fillUrl } from '../../src/features/orders/connectors/template.ts'
import {
  createOutbound,
  isPublicAddress,
  type Outbound,
  type OutboundOptions,
} from '../../src/features/orders/outbound.ts'
import { createOtlpExporter } from '../../src/platform/otlp.ts'
import { collect, newBreaker, question, setUpChatModel } from '../support/chat-model.ts'

/** A service of the private network: no request of ours may ever reach it. */
let hits: string[] = []
let port: number
const witness = createServer((request, response) => {
  hits.push(`${request.method} ${request.headers.host}${request.url}`)
  response.end('{}')
})
/** A host that is configured, and sends whoever asks to the witness. */
let redirect: { status: number; location: string } = { status: 302, location: '/' }
let asked: IncomingMessage[] = []
let redirectorPort: number
const redirector = createServer((request, response) => {
  asked.push(request)
  request.resume()
  response.writeHead(redirect.status, { location: redirect.location, connection: 'close' }).end()
})
const clients: Outbound[] = []

beforeAll(async () => {
  port = await listen(witness)
  redirectorPort = await listen(redirector)
})
beforeEach(() => {
  hits = []
  asked = []
})
afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())))
afterAll(() => Promise.all([witness, redirector].map((server) => new Promise((resolve) => server.close(resolve)))))

async function listen(server: typeof witness): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

function client(options: OutboundOptions = {}): Outbound['fetch'] {
  const outbound = createOutbound({ timeoutMs: 5_000, ...options })
  clients.push(outbound)
  return outbound.fetch
}

const refused = expect.objectContaining({ code: 'outbound_refused' })

/** Ways to write addresses of this machine and its network, as URL parsers and resolvers read them. */
const DISGUISES = [
  ...[
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '0x7F.0.0.1',
  ],
  ...[
    '0',
    '0.0.0.0',
    '0x0',
    '127.0.0.1.',
    '127.255.255.254',
    '127%2e0%2e0%2e1',
    '１２７.０.０.１',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
  ],
  ...['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:7f00:0001]'],
  ...['[::127.0.0.1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[fe80::1]', '[fc00::1]', '[fd00:ec2::254]'],
  ...['localhost', 'LOCALHOST', 'localhost.', 'ｌｏｃａｌｈｏｓｔ', 'user@127.0.0.1', 'shop.example@127.0.0.1'],
  ...['169.254.169.254', '2852039166', '0xa9fea9fe', '[::ffff:a9fe:a9fe]', '10.0.0.1', '192.168.0.1', '172.31.255.255'],
  ...['100.64.0.1', '168.63.129.16', '198.18.0.1', '224.0.0.1', '255.255.255.255'],
]

describe('a connector of the shop', () => {
  it.each(DISGUISES)('does not reach %s', async (host) => {
    // Not every resolver knows each way to write localhost; none may lead there.
    const code = expect.stringMatching(/^outbound_(?:refused|failed)$/)
    await expect(client()(`http://${host}:${port}/`)).rejects.toMatchObject({ kind: 'unavailable', code })
    expect(hits).toEqual([])
  })

  it.each([
    'file:///etc/passwd',
    'ftp://shop.example/',
    'gopher://shop.example/',
    'data:text/plain,x',
    'unix:///run/x',
  ])('does not speak %s', async (url) => {
    await expect(client()(url)).rejects.toEqual(refused)
  })

  const shop = () => ({
    allowHosts: [`shop.example:${redirectorPort}`],
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  })

  it.each(
    [301, 302, 303, 307, 308].flatMap(
      (status) =>
        [
          [status, (at: number) => `http://127.0.0.1:${at}/`],
          [status, (at: number) => `//[::ffff:7f00:1]:${at}/`],
          [status, (at: number) => `http://2130706433:${at}/`],
          [status, (at: number) => `http://internal.example:${at}/`],
        ] as [number, (at: number) => string][],
    ),
  )('does not follow a redirect (%d) into the network: case %#', async (status, location) => {
    redirect = { status, location: location(port) }
    await expect(client(shop())(`http://shop.example:${redirectorPort}/`)).rejects.toEqual(refused)
    expect(asked).toHaveLength(1)
    expect(hits).toEqual([])
  })

  it('does not follow a name that turns private after it was looked up', async () => {
    // Each connection asks anew, and goes to the very address that was judged: no second look-up could differ.
    let lookups = 0
    const turning = async () => {
      lookups += 1
      return [{ address: lookups === 1 ? '127.0.0.1' : '169.254.169.254', family: 4 }]
    }
    const fetch = client({ resolve: turning })
    await expect(fetch(`http://turning.example:${port}/`)).rejects.toEqual(refused)
    await expect(fetch(`http://turning.example:${port}/`)).rejects.toEqual(refused)
    expect(lookups).toBe(2)
    expect(hits).toEqual([])
  })

  it('lets no order number or customer id out of its place in the URL', () => {
    const hostile = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '../../admin',
        '..',
        '%2e%2e/',
        '@evil.example',
        '#x',
        '?x=1&y',
        '//evil.example',
        '\\\\evil',
        'a/../b',
      ),
    )
    const property = fc.property(hostile, (value) => {
      let filled: string
      try {
        filled = fillUrl('https://shop.example/orders/{order_id}/full?owner={user_id}', {
          order_id: value,
          user_id: value,
        })
      } catch (error) {
        expect(error).toMatchObject({ code: 'bad_identifier' })
        return
      }
      const url = new URL(filled)
      expect(url.origin).toBe('https://shop.example')
      expect(url.pathname.split('/')).toHaveLength(4)
      expect([...url.searchParams.keys()]).toEqual(['owner'])
      expect(url.hash).toBe('')
    })
    fc.assert(property, { numRuns: 300 })
  })
})

describe('a client whose address the operator configures', () => {
  const base = () => `http://127.0.0.1:${redirectorPort}`
  const breaker = () => newBreaker(1_000)
  beforeEach(() => {
    redirect = { status: 307, location: `http://127.0.0.1:${port}/stolen` }
  })
  afterEach(() => {
    expect(asked.length).toBeGreaterThan(0)
    expect(hits).toEqual([])
  })

  it('carries no conversation to where a model endpoint redirects', async () => {
    for (const provider of ['openai', 'anthropic'] as const) {
      const { model } = setUpChatModel({ provider, baseUrl: base(), maxRetries: 0 })
      expect(await collect(model.stream(question))).toMatchObject([{ type: 'error' }])
    }
  })

  it('carries no text to where an embeddings endpoint redirects', async () => {
    const embedder = createOpenAiEmbedder({
      baseUrl: base(),
      model: 'm',
      dimensions: 4,
      maxRetries: 0,
      breaker: breaker(),
    })
    await expect(embedder.embed(['text'], 'query')).rejects.toThrow()
  })

  it('carries no passage to where a rerank endpoint redirects', async () => {
    const failures: unknown[] = []
    const reranker = createHttpReranker({
      baseUrl: base(),
      breaker: breaker(),
      onFailure: (reason) => failures.push(reason),
    })
    await reranker.rerank('query', ['passage'])
    expect(failures).toHaveLength(1)
  })

  it('carries no alert to where a webhook redirects', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const log = { warn: () => resolve() }
    const webhook = createWebhook({ url: `${base()}/hook`, breaker: breaker(), retries: 0, log })
    const [createdAt, lastSeenAt] = [new Date(), new Date()]
    const alert = {
      alertId: 'a',
      level: 'error',
      source: 's',
      message: 'm',
      details: {},
      fingerprint: 'f',
      count: 1,
    } as const
    webhook.send({
      event: 'raised',
      alert: { ...alert, createdAt, lastSeenAt, resolvedAt: null, acknowledged: null, silenced: null },
    })
    await promise
    await webhook.close()
  })

  it('carries no trace to where a collector redirects', async () => {
    const service = { serviceName: 's', serviceVersion: '1', headers: 'authorization=secret' }
    const exporter = createOtlpExporter({ endpoint: base(), ...service, log: { warn: () => {} } })
    exporter.record({
      traceId: 't',
      sessionId: 's',
      channel: 'web',
      status: 'ok',
      intent: 'faq',
      startedAt: 0,
      durationMs: 1,
      error: null,
      spans: [],
    } as never)
    await exporter.close()
  })

  it('carries no token to where a channel’s platform redirects', async () => {
    const call = { platform: 'WeChat', url: `${base()}/cgi-bin?secret=x`, body: {}, timeoutMs: 5_000 }
    await expect(postToPlatform(globalThis.fetch, call)).rejects.toMatchObject({ code: 'platform_unavailable' })
  })
})

describe('the reply address in a DingTalk message', () => {
  it.each(DISGUISES.map((host) => `https://${host}/robot/sendBySession`))('is not taken when it is %s', (url) => {
    expect(() => checkedWebhookUrl({ url, expiresAtMs: 1 }, 0)).toThrow('not an address of DingTalk')
  })

  it('is DingTalk’s own or none, whatever stands around it', () => {
    const around = fc.constantFrom(
      '',
      '.',
      '@',
      ':443',
      ':80',
      '.evil.example',
      '\\',
      '%00',
      '\t',
      '/',
      '?',
      '#',
      'evil.',
    )
    const property = fc.property(
      around,
      around,
      fc.constantFrom('https:', 'http:', 'HTTPS:', 'https:\\'),
      (a, b, scheme) => {
        let url: string
        try {
          url = checkedWebhookUrl({ url: `${scheme}//${a}oapi.dingtalk.com${b}/x`, expiresAtMs: 1 }, 0)
        } catch {
          return
        }
        expect(new URL(url).origin).toBe('https://oapi.dingtalk.com')
      },
    )
    fc.assert(property, { numRuns: 500 })
  })
})

it('no address of a private or special network counts as public, however it is embedded', () => {
  const privateV4 = fc.oneof(
    fc.tuple(fc.constantFrom(0, 10, 127), fc.nat(255)),
    fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 })),
    fc.constantFrom<[number, number]>([192, 168], [169, 254], [198, 18]),
    fc.tuple(fc.integer({ min: 224, max: 255 }), fc.nat(255)),
  )
  const property = fc.property(privateV4, fc.nat(255), fc.nat(255), ([a, b], c, d) => {
    const hex = [(a << 8) | b, (c << 8) | d].map((part) => part.toString(16)).join(':')
    for (const address of [`${a}.${b}.${c}.${d}`, `::ffff:${hex}`, `::${hex}`, `64:ff9b::${hex}`, `2002:${hex}::`]) {
      expect(isPublicAddress(address), address).toBe(false)
    }
  })
  fc.assert(property, { numRuns: 300 })
})
