import { createHmac, randomUUID } from 'node:crypto'

/** The robot as it is registered. `timeScale` 0.01 turns the five seconds of waiting into 50 ms. */
export type DingtalkRobot = {
  /** The callback door, such as `http://127.0.0.1:8000/api/v1/gateway/dingtalk`. */
  callbackUrl: string
  appSecret: string
  robotCode?: string
  /** Where answers go, usually of `webhook-server.ts`; left out, the message offers no place to answer. */
  sessionWebhook?: string
  webhookLifetimeMs?: number
  timeScale?: number
  now?: () => number
}

export type DingtalkTampering = { sign?: string; clockOffsetMs?: number; body?: (json: string) => string }

export type DingtalkSendOptions = {
  msgId?: string
  conversationId?: string
  conversationType?: '1' | '2'
  senderId?: string
  senderStaffId?: string
  /** How often at most; anything over 1 repeats the same message after a timeout or a 5xx. */
  attempts?: number
  /** Replaces or adds fields of the body. */
  fields?: Record<string, unknown>
  tamper?: DingtalkTampering
}

export type DingtalkAttempt = { status: number; body: string } | { timedOut: true } | { failed: string }
export type DingtalkExchange = { msgId: string; accepted: boolean; attempts: DingtalkAttempt[] }

export type DingtalkSimulator = {
  send(content: Record<string, unknown>, options?: DingtalkSendOptions): Promise<DingtalkExchange>
  sendText(text: string, options?: DingtalkSendOptions): Promise<DingtalkExchange>
  sendVoice(recognition: string, options?: DingtalkSendOptions): Promise<DingtalkExchange>
}

const GIVE_UP_MS = 5000

/** Plays DingTalk towards a robot's callback: signs the time, sends the JSON, repeats what was not answered. */
export function createDingtalkSimulator(robot: DingtalkRobot): DingtalkSimulator {
  const now = robot.now ?? Date.now

  async function send(content: Record<string, unknown>, options: DingtalkSendOptions = {}): Promise<DingtalkExchange> {
    const msgId = options.msgId ?? `msg-${randomUUID()}`
    const json = JSON.stringify({ ...envelope(robot, options, now()), msgId, ...content, ...options.fields })
    const attempts: DingtalkAttempt[] = []
    for (let tries = options.attempts ?? 1; tries > 0; tries--) {
      const attempt = await attemptOnce(robot, json, options.tamper ?? {}, now())
      attempts.push(attempt)
      if ('status' in attempt && attempt.status < 500) return { msgId, accepted: attempt.status < 300, attempts }
    }
    return { msgId, accepted: false, attempts }
  }

  return {
    send,
    // DingTalk removes the robot's name from what was written in a group and leaves the blank behind it.
    sendText: (text, options) => send({ msgtype: 'text', text: { content: ` ${text}` } }, options),
    sendVoice: (recognition, options) => send({ msgtype: 'audio', content: { recognition, duration: 3000 } }, options),
  }
}

function envelope(robot: DingtalkRobot, options: DingtalkSendOptions, nowMs: number): Record<string, unknown> {
  const webhook = robot.sessionWebhook && {
    sessionWebhook: robot.sessionWebhook,
    sessionWebhookExpiredTime: nowMs + (robot.webhookLifetimeMs ?? 90 * 60 * 1000),
  }
  return {
    createAt: nowMs,
    conversationType: options.conversationType ?? '1',
    conversationId: options.conversationId ?? 'cid-simulated',
    senderId: options.senderId ?? '$:LWCP_v1:$simulated',
    senderNick: '模拟用户',
    senderStaffId: options.senderStaffId ?? 'staff-simulated',
    chatbotUserId: '$:LWCP_v1:$robot',
    isInAtList: true,
    atUsers: [{ dingtalkId: '$:LWCP_v1:$robot' }],
    robotCode: robot.robotCode ?? 'ding-simulated',
    ...webhook,
  }
}

async function attemptOnce(robot: DingtalkRobot, json: string, tamper: DingtalkTampering, nowMs: number) {
  const timestamp = String(nowMs + (tamper.clockOffsetMs ?? 0))
  const sign = createHmac('sha256', robot.appSecret).update(`${timestamp}\n${robot.appSecret}`, 'utf8').digest('base64')
  try {
    const response = await fetch(robot.callbackUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', timestamp, sign: tamper.sign ?? sign },
      body: tamper.body?.(json) ?? json,
      signal: AbortSignal.timeout(GIVE_UP_MS * (robot.timeScale ?? 1)),
    })
    return { status: response.status, body: await response.text() }
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === 'TimeoutError'
    return isTimeout ? { timedOut: true as const } : { failed: String(error) }
  }
}
