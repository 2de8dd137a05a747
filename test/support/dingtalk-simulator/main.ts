/**
 * Talks to a running Frontdesk as DingTalk would:
 *
 *     node test/support/dingtalk-simulator/main.ts --url http://127.0.0.1:8000/api/v1/gateway/dingtalk \
 *       --secret SECRET --text "怎么退货" [--wait-ms 10000] [--attack forged|stale] [--attempts 3]
 *
 * Answers come to a webhook on a loopback port, which the server under test has to be told to accept.
 */
import { parseArgs } from 'node:util'
import { createDingtalkSimulator, type DingtalkTampering } from './platform.ts'
import { startDingtalkWebhook } from './webhook-server.ts'

const attacks: Record<string, DingtalkTampering> = {
  forged: { sign: 'AAAA' },
  stale: { clockOffsetMs: -3_700_000 },
}

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:8000/api/v1/gateway/dingtalk' },
    secret: { type: 'string' },
    text: { type: 'string', default: '你好' },
    attack: { type: 'string' },
    attempts: { type: 'string', default: '3' },
    'webhook-port': { type: 'string', default: '0' },
    'wait-ms': { type: 'string', default: '10000' },
  },
})
if (!values.secret) throw new Error('--secret is missing')

const webhook = await startDingtalkWebhook({ port: Number(values['webhook-port']) })
console.log('answers are taken at', webhook.origin)
const dingtalk = createDingtalkSimulator({
  callbackUrl: values.url,
  appSecret: values.secret,
  sessionWebhook: webhook.webhookFor(),
})
const tamper = values.attack ? (attacks[values.attack] ?? {}) : {}
console.log(await dingtalk.sendText(values.text, { attempts: Number(values.attempts), tamper }))
await webhook.replies.waitFor(1, Number(values['wait-ms'])).then(console.log, () => console.log('no answer came'))
await webhook.close()
