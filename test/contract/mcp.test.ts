import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf } from '../support/event-stream.ts'
import { writeNamedKeys } from '../support/named-keys.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const API_KEY = 'a secret of 24 characters'
const RETURNS = '# Returns\n\nYou may return anything within 30 days of delivery. Refunds take five days.\n'
const QUESTION = 'Within how many days of delivery may I return anything?'
const ALL = ['search_knowledge', 'ask', 'read_conversation', 'hand_over', 'list_gaps']

let test: TestApp
let url: URL
const clients: Client[] = []
beforeAll(async () => {
  test = await createTestApp({ API_KEY })
  await test.upload(RETURNS, 'returns.md')
  url = new URL('/mcp', await originOf(test.app))
})
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()))
  await test.close()
})

async function connect(headers: Record<string, string> = { 'x-api-key': API_KEY }, to = url): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const transport = new StreamableHTTPClientTransport(to, { requestInit: { headers } })
  await client.connect(transport as unknown as Parameters<Client['connect']>[0])
  clients.push(client)
  return client
}

interface Called {
  isError?: boolean
  content: { text: string }[]
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
  structuredContent: any
}

async function call(client: Client, name: string, given: Record<string, unknown> = {}): Promise<Called> {
  // The client checks results against the tools' output schemas, once it has listed them.
  await client.listTools()
  return (await client.callTool({ name, arguments: given })) as unknown as Called
}

describe('a client of the official SDK', () => {
  it('is told what there is', async () => {
    const client = await connect()
    expect(client.getServerVersion()).toMatchObject({ name: 'Frontdesk', version: expect.any(String) })
    expect(client.getInstructions()).toContain('hand over')
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(ALL)
    for (const { description, inputSchema, outputSchema, annotations } of tools) {
      expect(description?.length).toBeGreaterThan(20)
      expect([inputSchema.type, outputSchema?.type]).toEqual(['object', 'object'])
      expect(annotations).toHaveProperty('readOnlyHint')
    }
  })

  it('searches', async () => {
    const { structuredContent, content } = await call(await connect(), 'search_knowledge', { query: QUESTION })
    expect(structuredContent.passages[0]).toMatchObject({
      title: 'Returns',
      source: 'returns.md',
      content: expect.stringContaining('30 days'),
      url: null,
    })
    expect(content[0]?.text).toContain('[1] Returns')
  })

  it('asks, goes on in the conversation, hands it over, and reads what a person says', async () => {
    const client = await connect()
    const asked = await call(client, 'ask', { question: QUESTION, user_id: 'mei' })
    expect(asked.content[0]?.text).toContain('30 days')
    expect(asked.structuredContent).toMatchObject({ sources: [{ title: 'Returns' }], handed_over: false })
    const { session_id } = asked.structuredContent
    await call(client, 'ask', { question: 'And how long do refunds take?', session_id, user_id: 'mei' })
    const handed = await call(client, 'hand_over', { question: 'My parcel is late', session_id, user_id: 'mei' })
    expect(handed.structuredContent).toMatchObject({ session_id, handed_over: true })
    await test.call('POST', `/api/v1/agent/sessions/${session_id}/accept`, { agent_id: 'ann' })
    await test.call('POST', `/api/v1/agent/sessions/${session_id}/messages`, { content: 'I am looking' })
    const read = await call(client, 'read_conversation', { session_id })
    expect(read.structuredContent).toMatchObject({ agent_status: 'assigned', agent_id: 'ann' })
    const said = read.structuredContent.messages.map(({ content }: { content: string }) => content)
    expect(said).toEqual(expect.arrayContaining([QUESTION, 'My parcel is late', 'I am looking']))
  })

  it('gets personal data masked', async () => {
    const client = await connect()
    const phone = '13812345678'
    const { session_id } = (await call(client, 'ask', { question: `Call me at ${phone}`, user_id: 'li' }))
      .structuredContent
    expect(JSON.stringify(await call(client, 'read_conversation', { session_id }))).not.toContain(phone)
  })

  it('lists gaps', async () => {
    const client = await connect()
    await call(client, 'ask', { question: 'Do you sell submarine insurance for parrots?' })
    const { structuredContent } = await call(client, 'list_gaps')
    expect(structuredContent.gaps[0]).toMatchObject({ question: expect.stringContaining('parrots'), conversations: 1 })
  })

  it.each([
    ['no_such_tool', {}, /no tool no_such_tool/],
    ['search_knowledge', {}, /query/],
    ['search_knowledge', { query: 'x', top_k: 99 }, /top_k/],
    ['ask', { question: '' }, /question/],
    ['read_conversation', { session_id: 'nowhere' }, /No session has the session_id nowhere/],
    ['list_gaps', { limit: 'many' }, /limit/],
  ])('reads what is wrong with %s %j', async (name, given, reason) => {
    const { isError, content } = await call(await connect(), name, given)
    expect([isError, content[0]?.text]).toEqual([true, expect.stringMatching(reason)])
  })
})

describe('keys', () => {
  it('may come as a bearer, and only here', async () => {
    const authorization = `Bearer ${API_KEY}`
    expect((await (await connect({ authorization })).listTools()).tools).toHaveLength(5)
    expect((await test.app.inject({ url: '/api/v1/keys', headers: { authorization } })).statusCode).toBe(401)
  })

  it.each([{}, { 'x-api-key': 'wrong' }, { authorization: 'Bearer wrong' }, { authorization: `Basic ${API_KEY}` }])(
    'are needed: %j',
    async (headers) => {
      await expect(connect(headers as Record<string, string>)).rejects.toThrow(/401|Invalid or missing API key/)
    },
  )

  it('give the tools that their scopes allow', async () => {
    const keys = writeNamedKeys(['read'], ['chat'], ['agent'])
    const scoped = await createTestApp({ API_KEY, API_KEYS_FILE: keys.path })
    try {
      const to = new URL('/mcp', await originOf(scoped.app))
      const names = async (scope: 'read' | 'chat' | 'agent') => {
        const { tools } = await (await connect(keys.headersOf(scope), to)).listTools()
        return tools.map(({ name }) => name)
      }
      expect(await names('read')).toEqual(['search_knowledge'])
      expect(await names('chat')).toEqual(['ask', 'hand_over'])
      expect(await names('agent')).toEqual(expect.arrayContaining(['ask', 'read_conversation', 'list_gaps']))
      const client = await connect(keys.headersOf('read'), to)
      expect((await call(client, 'ask', { question: 'Hello' })).isError).toBe(true)
    } finally {
      await scoped.close()
      keys.remove()
    }
  })
})

describe('over plain HTTP', () => {
  const post = (payload: object | string, headers: Record<string, string> = {}) =>
    test.app.inject({
      method: 'POST',
      url: '/mcp',
      headers: {
        'x-api-key': API_KEY,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      payload,
    })

  it('is for POST alone, as no stream is kept', async () => {
    for (const method of ['GET', 'DELETE'] as const) {
      const { statusCode, headers } = await test.app.inject({ method, url: '/mcp', headers: { 'x-api-key': API_KEY } })
      expect([statusCode, headers.allow]).toEqual([405, 'POST'])
    }
  })

  it('answers what is no message of the protocol with an error', async () => {
    const url = await originOf(test.app)
    const send = (body: string, accept = 'application/json, text/event-stream') =>
      fetch(`${url}/mcp`, {
        method: 'POST',
        headers: { 'x-api-key': API_KEY, 'content-type': 'application/json', accept },
        body,
      })
    expect((await send('{"jsonrpc": "2.0"}')).status).toBe(400)
    expect((await send('7')).status).toBe(422)
    expect((await send('nonsense')).status).toBe(422)
    expect((await send('{"jsonrpc":"2.0","id":1,"method":"tools/list"}', 'text/html')).status).toBe(406)
    const listed = await send('{"jsonrpc":"2.0","id":1,"method":"tools/list"}')
    expect(listed.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await listed.json()).toMatchObject({ result: { tools: ALL.map((name) => ({ name })) } })
    expect((await post('{', {})).statusCode).toBe(422)
  })

  it('is refused to web pages, and not on the public listener', async () => {
    const keyless = await createTestApp({ PUBLIC_PORT: '1' })
    try {
      const { statusCode } = await keyless.app.inject({
        method: 'POST',
        url: '/mcp',
        headers: { origin: 'https://e.vil', 'content-type': 'application/json' },
        payload: '{}',
      })
      expect(statusCode).toBe(403)
    } finally {
      await keyless.close()
    }
  })
})
