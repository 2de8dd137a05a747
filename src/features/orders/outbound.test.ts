import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createOutbound, isPublicAddress, type OutboundOptions } from './outbound.ts'

const servers: Server[] = []
const clients: { close(): Promise<void> }[] = []

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))))
})

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** A client for which every name leads to this machine. */
function client(options: OutboundOptions = {}) {
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
  const outbound = createOutbound({ resolve, ...options })
  clients.push(outbound)
  return outbound.fetch
}

const refused = expect.objectContaining({ kind: 'unavailable', code: 'outbound_refused' })

describe('isPublicAddress', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '100.100.100.200',
    '168.63.129.16',
    '0.0.0.0',
    '192.0.0.192',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::a00:1',
    '2002:7f00:1::',
    '2001::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'ff02::1',
    '2001:db8::1',
    'no address',
  ])('refuses %s', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  it.each(['8.8.8.8', '1.1.1.1', '2606:4700::1111', '2a00:1450:4001::1'])('takes %s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })
})

describe('outbound', () => {
  it.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://127.0.0.1./',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://１２７.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://user:key@example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
  ])('refuses %s without connecting', async (url) => {
    await expect(client()(url)).rejects.toEqual(refused)
  })

  it('refuses a name that leads to a private address, also when another of its addresses is public', async () => {
    const port = await serve((_, response) => response.end('secret'))
    await expect(client()(`http://shop.example:${port}/`)).rejects.toEqual(refused)
    const resolve = async () => [
      { address: '8.8.8.8', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]
    await expect(client({ resolve })(`http://shop.example:${port}/`)).rejects.toEqual(refused)
  })

  it('checks the address at every connection, so that a name cannot change sides', async () => {
    const port = await serve((_, response) => response.writeHead(200, { connection: 'close' }).end('ok'))
    let resolved = 0
    const resolve = async () => {
      resolved += 1
      return [{ address: '127.0.0.1', family: 4 }]
    }
    const trusted = client({ resolve, allowHosts: ['shop.example'] })
    expect(await (await trusted(`http://shop.example:${port}/`)).text()).toBe('ok')
    expect(await (await trusted(`http://shop.example:${port}/`)).text()).toBe('ok')
    expect(resolved).toBe(2)
    await expect(client({ resolve })(`http://shop.example:${port}/`)).rejects.toEqual(refused)
  })

  it('reaches a private address that is allowed by name, and only under that name and port', async () => {
    const port = await serve((_, response) => response.end('ok'))
    const allowHosts = [`orders.internal:${port}`]
    expect(await (await client({ allowHosts })(`http://orders.internal:${port}/`)).text()).toBe('ok')
    await expect(client({ allowHosts })(`http://127.0.0.1:${port}/`)).rejects.toEqual(refused)
    await expect(client({ allowHosts })(`http://evil.example:${port}/`)).rejects.toEqual(refused)
    await expect(client({ allowHosts })('http://orders.internal:81/')).rejects.toEqual(refused)
  })

  it('checks redirects and keeps keys to the first origin', async () => {
    const seen: (string | undefined)[] = []
    const other = await serve((request, response) => {
      seen.push(request.headers['x-key'] as string | undefined)
      response.end('other')
    })
    const port = await serve((request, response) => {
      const to = request.url === '/inside' ? 'http://127.0.0.1/' : `http://b.example:${other}/`
      response.writeHead(302, { location: to }).end()
    })
    const fetch = client({ allowHosts: ['a.example', 'b.example'] })
    const init = { headers: { 'x-key': 'secret' } }
    expect(await (await fetch(`http://a.example:${port}/`, init)).text()).toBe('other')
    expect(seen).toEqual([undefined])
    await expect(fetch(`http://a.example:${port}/inside`, init)).rejects.toEqual(refused)
    await expect(fetch(`http://a.example:${port}/`, { ...init, method: 'POST', body: '{}' })).rejects.toEqual(refused)
    expect(seen).toHaveLength(1)
  })

  it('does not follow redirects for ever', async () => {
    let hops = 0
    const port = await serve((_, response) => response.writeHead(302, { location: `/${++hops}` }).end())
    await expect(client({ allowHosts: ['a.example'], maxRedirects: 3 })(`http://a.example:${port}/`)).rejects.toEqual(
      refused,
    )
    expect(hops).toBe(4)
  })

  it('stops reading what is too large and waiting for what is too slow', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/slow') return
      response.end('x'.repeat(5_000))
    })
    const fetch = client({ allowHosts: ['a.example'], maxBytes: 1_000, timeoutMs: 200 })
    const large = await fetch(`http://a.example:${port}/large`)
    await expect(large.text()).rejects.toEqual(expect.objectContaining({ code: 'outbound_too_large' }))
    await expect(fetch(`http://a.example:${port}/slow`)).rejects.toEqual(
      expect.objectContaining({ code: 'outbound_timeout' }),
    )
  })

  it('says that a host cannot be reached', async () => {
    const port = await serve(() => undefined)
    await new Promise((resolve) => servers.pop()?.close(resolve))
    const fetch = client({ allowHosts: ['a.example'] })
    await expect(fetch(`http://a.example:${port}/`)).rejects.toEqual(
      expect.objectContaining({ code: 'outbound_failed' }),
    )
  })
})
