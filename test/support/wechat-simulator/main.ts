/**
 * Talks to a running Frontdesk as WeChat would:
 *
 *     node test/support/wechat-simulator/main.ts --url http://127.0.0.1:8000/api/v1/gateway/wechat \
 *       --token TOKEN --text "怎么退货" [--app-id wx… --aes-key … (43 characters) --encrypted] [--open-id o-1] \
 *       [--attack forged|stale] [--time-scale 1]
 *
 * Without `--text` only the URL check is made.
 */
import { parseArgs } from 'node:util'
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
console.log('URL check', await simulator.checkUrl({ tamper }))
if (values.text) console.log(await simulator.sendText(values.text, { openId: values['open-id'], tamper }))
