import { describe, expect, it } from 'vitest'
import { receiveDingtalkCallback } from './callback.ts'
import { createReplayCache } from './replay-cache.ts'
import { dingtalkSignature } from './signature.ts'

const TOLERANCE_MS = 300_000
const appSecret = 'secret'
const body = (msgId: string) =>
  JSON.stringify({
    msgtype: 'text',
    text: { content: 'hi' },
    msgId,
    conversationType: '1',
    conversationId: 'c',
    senderId: 's',
  })

function testDoor() {
  let timeMs = 10 * TOLERANCE_MS
  const clock = { now: () => timeMs }
  const options = { appSecret, clock, replays: createReplayCache({ clock }) }
  const headers = (stampMs = timeMs) => {
    const timestamp = String(stampMs)
    return { timestamp, sign: dingtalkSignature(timestamp, appSecret) }
  }
  return { options, headers, advance: (ms: number) => (timeMs += ms) }
}

describe('receiveDingtalkCallback', () => {
  it('reads a message and tells its replay', () => {
    const { options, headers } = testDoor()
    expect(receiveDingtalkCallback(options, headers(), body('a'))).toMatchObject({
      replayed: false,
      message: { messageId: 'a' },
    })
    expect(receiveDingtalkCallback(options, headers(), Buffer.from(body('a'))).replayed).toBe(true)
    expect(receiveDingtalkCallback(options, headers(), body('b')).replayed).toBe(false)
  })

  it('remembers an id for as long as any request that carried it could still verify', () => {
    const { options, headers, advance } = testDoor()
    const stampedAhead = headers(11 * TOLERANCE_MS)
    receiveDingtalkCallback(options, stampedAhead, body('a'))
    advance(2 * TOLERANCE_MS)
    expect(receiveDingtalkCallback(options, stampedAhead, body('a')).replayed).toBe(true)
    advance(1)
    expect(() => receiveDingtalkCallback(options, stampedAhead, body('a'))).toThrow('five minutes')
  })

  it('checks the signature before the body, and the size before parsing it', () => {
    const { options, headers } = testDoor()
    expect(() => receiveDingtalkCallback(options, {}, '{')).toThrow(expect.objectContaining({ kind: 'unauthorized' }))
    expect(() => receiveDingtalkCallback(options, headers(), ' '.repeat(65_537))).toThrow(
      expect.objectContaining({ kind: 'too_large' }),
    )
  })

  it('does not count a message that could not be read as seen', () => {
    const { options, headers } = testDoor()
    expect(() => receiveDingtalkCallback(options, headers(), body('a').replace('"1"', '"9"'))).toThrow()
    expect(receiveDingtalkCallback(options, headers(), body('a')).replayed).toBe(false)
  })
})

describe('createReplayCache', () => {
  it('forgets an id after ten minutes, and at once when it is given back', () => {
    let timeMs = 1
    const replays = createReplayCache({ clock: { now: () => timeMs } })
    expect(replays.claim('a')).toBe(true)
    timeMs += 2 * TOLERANCE_MS
    expect(replays.claim('a')).toBe(false)
    timeMs += 1
    expect(replays.claim('a')).toBe(true)
    replays.release('a')
    expect(replays.claim('a')).toBe(true)
  })

  it('holds no more than its limit', () => {
    const replays = createReplayCache({ clock: { now: () => 1 }, maxEntries: 2 })
    for (const id of ['a', 'b', 'c']) replays.claim(id)
    expect(replays.claim('c')).toBe(false)
    expect(replays.claim('a')).toBe(true)
  })
})
