import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { INTENTS, type Turn } from '../../../language/understanding.ts'
import { loadUnderstand } from './load.ts'
import type { Understand } from './understanding.ts'

let understand: Understand
beforeAll(async () => {
  understand = await loadUnderstand()
})

describe('understand', () => {
  it('reads a message that asks two things', () => {
    const understood = understand('Where is my order #W1234567 and how do I get an invoice?')
    expect(understood.subTasks).toMatchObject([
      { question: 'Where is my order #W1234567', intent: 'logistics', orders: { scene: 'logistics' } },
      { question: 'how do I get an invoice?', intent: 'faq', orders: { scene: 'none' } },
    ])
    expect(understood).toMatchObject({ language: 'en', orders: { scene: 'logistics' }, wantsHuman: false })
    expect(understood.entities.orderNumbers).toEqual(['#W1234567'])
  })

  it('reads a Chinese message that asks two things', () => {
    const understood = understand('怎么退货？另外运费谁出')
    expect(understood.subTasks.map(({ question }) => question)).toEqual(['怎么退货？', '运费谁出'])
    expect(understood).toMatchObject({ language: 'zh', replyLanguage: 'zh', orders: { scene: 'none' } })
  })

  it('puts a wish for a person before everything else', () => {
    const understood = understand('My parcel is late. Get me a human!')
    expect(understood).toMatchObject({ intent: 'human', wantsHuman: true })
    expect(understand('let me tlak to a humna').wantsHuman).toBe(true)
    expect(understand('customer service hours?').wantsHuman).toBe(false)
  })

  it('hears anger and still sees the request', () => {
    const understood = understand('You crooks, I want my money back for the broken vase!!!')
    expect(understood.emotionScore).toBeLessThan(-0.6)
    expect(understood.intent).toBe('refund')
  })

  it('takes an answer as an answer to what was asked', () => {
    expect(understand('好的，确认', { lastIntent: 'order' })).toMatchObject({
      orders: { consent: 'yes' },
      isFollowUp: true,
    })
    expect(understand('yes, but change the address first').orders.consent).toBe('doubtful')
  })

  it('lets the conversation decide what a bare follow-up is about', () => {
    expect(understand('#W1234567', { lastIntent: 'refund' })).toMatchObject({
      intent: 'refund',
      orders: { scene: 'order_status' },
    })
    expect(understand('#W1234567').intent).toBe('order')
  })

  it('answers a number in the language of the turns before', () => {
    const previousTurns: Turn[] = [
      { role: 'user', content: '我的快递到哪了' },
      { role: 'assistant', content: 'Please tell me your order number' },
    ]
    expect(understand('123456', { previousTurns })).toMatchObject({ language: 'zh', replyLanguage: 'zh' })
  })

  it('tells small talk by kind', () => {
    expect(understand('Hi there!')).toMatchObject({ intent: 'chitchat', chitchatKind: 'greeting' })
    expect(understand('Hi, where is my parcel?').chitchatKind).toBeNull()
  })

  it('marks what only a person may settle', () => {
    expect(understand('充电宝爆炸了，我要求赔偿').sensitiveTopic).toBe('safety')
    expect(understand('please refund my $2,000', { refundLimits: { USD: 5_000 } }).sensitiveTopic).toBeNull()
  })

  it('joins sentences that are one matter', () => {
    const { subTasks } = understand('I want to return the laptop. I want to return it because I found a better deal.')
    expect(subTasks).toHaveLength(1)
  })

  it('says unknown to what it cannot read', () => {
    for (const message of ['', '   ', 'مرحبا كيف حالك', 'どこですか', '\u{1f9e9}\u{1f9e9}'])
      expect(understand(message).intent).toBe('unknown')
    expect(understand('').subTasks).toEqual([])
  })
})

describe('understand on anything', () => {
  const pieces = fc.constantFrom(
    'where is my order #W1234567',
    'I am ANGRY!!!',
    '我要退货',
    '转人工',
    'yes',
    '它呢',
    '😡',
    'مرحبا',
    '\u202e',
    '\ud83d',
    '\u0000',
    '１２３',
    ' and ',
    '？',
    '\n',
    '1. ',
    '$1,000',
    'yesterday',
    'a@b.co',
  )
  const messages = fc.oneof(
    fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary', maxLength: 300 }),
  )

  it('never throws, keeps its bounds and cuts its sub-tasks from the message', () => {
    fc.assert(
      fc.property(messages, fc.option(fc.constantFrom(...INTENTS), { nil: undefined }), (message, lastIntent) => {
        const understood = understand(message, { lastIntent, now: new Date(0) })
        expect(Math.abs(understood.emotionScore)).toBeLessThanOrEqual(1)
        expect(understood.intents).toHaveLength(INTENTS.length)
        expect(understood.intents.reduce((sum, { confidence }) => sum + confidence, 0)).toBeCloseTo(1, 5)
        expect(understood.confidence).toBe(understood.intents[0]!.confidence)
        expect(understood.subTasks.length).toBeLessThanOrEqual(8)
        for (const { question, confidence } of understood.subTasks) {
          expect(message).toContain(question)
          expect(question.trim()).toBe(question)
          expect(confidence).toBeGreaterThanOrEqual(0)
          expect(confidence).toBeLessThanOrEqual(1)
        }
      }),
    )
  })

  it.each([
    ['one word', 'a'.repeat(8_000)],
    ['questions', 'where is my order? '.repeat(420)],
    ['clauses', '我的快递到哪了，'.repeat(1_000)],
    ['list items', '1. x '.repeat(1_600)],
    ['numbers', '#1234 '.repeat(1_300)],
    ['conjunctions', 'and '.repeat(2_000)],
    ['marks', '？'.repeat(8_000)],
    ['run-on questions', '吗我'.repeat(4_000)],
    ['dots and signs', '.@'.repeat(4_000)],
    ['spaces', `a${' '.repeat(7_998)}b`],
  ])('copes with 8,000 characters of %s', (_, message) => {
    expect(understand(message).subTasks.length).toBeLessThanOrEqual(8)
  })

  it('reads no further than 8,000 characters', () => {
    expect(understand(`${'x '.repeat(4_000)}转人工`).wantsHuman).toBe(false)
  })
})
