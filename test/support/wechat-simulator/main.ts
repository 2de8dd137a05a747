/**
 * Talks to a running Frontdesk as WeChat would:
 *
 *     node test/support/wechat-simulator/main.ts --url http://127.0.0.1:8000/api/v1/gateway/wechat \
 *       --token TOKEN --text "怎么退货" [--app-id wx… --aes-key … (43 characters) --encrypted] [--open-id o-1] \
 *       [--attack forged|stale] [--time-scale 1] [--app-secret SECRET --api-port 8081 --wait-ms 15000]
 *
 * Without `--text` only the URL check is made. With `--app-secret` it also plays `api.weixin.qq.com` on `--api-port`, prints
 * what is pushed there and ends after `--wait-ms`; the server under test has to be told that address.
 */
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startWechatApi } from './api-server.ts'
import { createWechatSimulator, type Tampering, type WechatAccount } from './platform.ts'

const attacks: Record<string, Tampering> = {
  forged: { signature: '0'.repeat(40) },
  stale: { clockOffsetSeconds: -3700 },
}

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:8000/api/v1/gateway/wechat' },
    token: { type: 'string' },
    text: { type: 'string' },
    'app-id': { type: 'string' },
    'aes-key': { type: 'string' },
    encrypted: { type: 'boolean', default: false },
    'open-id': { type: 'string', default: 'o-simulated-customer' },
    attack: { type: 'string' },
    'time-scale': { type: 'string', default: '1' },
    'app-secret': { type: 'string' },
    'api-port': { type: 'string', default: '8081' },
    'wait-ms': { type: 'string', default: '15000' },
  },
})
if (!values.token) throw new Error('--token is missing')

const account: WechatAccount = {
  callbackUrl: values.url,
  token: values.token,
  mode: values.encrypted ? 'encrypted' : 'plain',
  timeScale: Number(values['time-scale']),
  ...(values['app-id'] ? { appId: values['app-id'] } : {}),
  ...(values['aes-key'] ? { encodingAesKey: values['aes-key'] } : {}),
}
const tamper = values.attack ? (attacks[values.attack] ?? {}) : {}
const simulator = createWechatSimulator(account)
const api = values['app-secret']
  ? await startWechatApi({
      appId: values['app-id'] ?? '',
      appSecret: values['app-secret'],
      port: Number(values['api-port']),
    })
  : null
console.log('URL check', await simulator.checkUrl({ tamper }))
if (values.text) console.log(await simulator.sendText(values.text, { openId: values['open-id'], tamper }))
if (api) {
  await setTimeout(Number(values['wait-ms']))
  console.log('pushed', api.pushes.all)
  await api.close()
}
