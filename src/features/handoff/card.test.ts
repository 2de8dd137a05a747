import { describe, expect, it } from 'vitest'
import { buildCard, type CardInput } from './card.ts'
import type { CardMessage } from './conversation.ts'

const asksForPerson = (sentence: string) => /\bhuman\b|人工/i.test(sentence)
const maskText = (text: string) => text.replace(/1[3-9]\d{9}/g, '138****0000').replace(/\S+@\S+/g, '***@***')
const maskRecord = (record: Record<string, unknown>) => ({ ...record, phone: '***' })
const helpers = { maskText, maskRecord, asksForPerson }

/** A message with those of its details that matter. */
interface Said {
  role: CardMessage['role']
  content: string
  intent?: string
  confident?: boolean
  sources?: { source: string; score: number }[]
  subTasks?: { question: string; answer: string; status: string; sources?: { source: string; score: number }[] }[]
}

function stored({ role, content, intent = null as never, sources = null as never, ...details }: Said): CardMessage {
  return { role, content, intent, sources, details } as CardMessage
}

const talk: Said[] = [
  { role: 'user', content: 'Hi there', intent: 'chitchat' },
  { role: 'assistant', content: 'Hello! How can I help?' },
  { role: 'user', content: 'My order #W2378156 arrived broken. Call me at 13812345678.', intent: 'order' },
  {
    role: 'assistant',
    content: 'You can return it within 30 days.',
    confident: false,
    sources: [{ source: 'returns.md', score: 0.4 }],
  },
  { role: 'user', content: 'How long does a refund take?', intent: 'refund' },
  {
    role: 'assistant',
    content: 'Five working days.',
    confident: true,
    sources: [
      { source: 'refunds.md', score: 0.9 },
      { source: 'returns.md', score: 0.6 },
    ],
  },
  { role: 'user', content: 'I need a human. The courier refuses to take it back.', intent: 'human' },
]

interface Change extends Partial<Pick<CardInput, 'decision' | 'passage'>> {
  language?: 'zh' | 'en'
  messages?: Said[]
}

function card({ language = 'en', messages = talk, ...change }: Change = {}) {
  const entities = { order_id: '#W2378156', phone: '13812345678' } as unknown as CardInput['understanding']['entities']
  const input: CardInput = {
    session: { sessionId: 's-1', userId: 'ann@example.com', channel: 'web', turnCount: 3 },
    understanding: { intent: 'human', replyLanguage: language, emotionScore: -0.3, entities },
    decision: { reason: 'customer_request', reasonDetail: 'Asked by 13812345678.', priority: 'medium' },
    history: messages.map(stored),
    failedAttempts: 1,
    passage: null,
    nowMs: Date.UTC(2026, 0, 2, 3, 4, 5),
    ...change,
  }
  return buildCard(input, helpers)
}

describe('buildCard', () => {
  it('has exactly the fields of the contract', () => {
    expect(card()).toEqual({
      session_id: 's-1',
      user_id: '***@***',
      channel: 'web',
      reason: 'customer_request',
      reason_detail: 'Asked by 138****0000.',
      priority: 'medium',
      intent: 'human',
      customer_request: 'The courier refuses to take it back.',
      summary: [
        'My order #W2378156 arrived broken.',
        'Call me at 138****0000.',
        'How long does a refund take?',
        'The courier refuses to take it back.',
      ],
      open_questions: [
        'My order #W2378156 arrived broken. Call me at 138****0000.',
        'The courier refuses to take it back.',
      ],
      attempted_answers: [
        {
          question: 'My order #W2378156 arrived broken. Call me at 138****0000.',
          answer: 'You can return it within 30 days.',
          sources: [{ source: 'returns.md', score: 0.4 }],
        },
        {
          question: 'How long does a refund take?',
          answer: 'Five working days.',
          sources: [
            { source: 'refunds.md', score: 0.9 },
            { source: 'returns.md', score: 0.6 },
          ],
        },
      ],
      sources: [
        { source: 'refunds.md', score: 0.9 },
        { source: 'returns.md', score: 0.6 },
      ],
      entities: { order_id: '#W2378156', phone: '***' },
      emotion_score: -0.3,
      failed_attempts: 1,
      turn_count: 4,
      suggested_reply:
        'Hello, this is a member of our support team. I have read your request: "The courier refuses to take it back.". I will take it from here.',
      created_at: '2026-01-02T03:04:05.000Z',
    })
  })

  it('speaks Chinese with a Chinese customer and quotes the passage with its source', () => {
    const { suggested_reply } = card({
      language: 'zh',
      decision: { reason: 'tool_failure', reasonDetail: 'x', priority: 'medium' },
      messages: [{ role: 'user', content: '我的快递到哪了？转人工' }],
      passage: { content: '可在订单页查看物流，\n或联系 13812345678。', source: '物流说明.md' },
    })
    expect(suggested_reply).toBe(
      '您好，我是人工客服，已了解您的问题：“我的快递到哪了？”。抱歉刚才系统没能查到结果，我马上为您人工核实。' +
        '根据《物流说明.md》：可在订单页查看物流， 或联系 138****0000。',
    )
  })

  it('takes the whole last message as the request when nothing else was said', () => {
    const messages: Said[] = [{ role: 'user', content: '转人工', intent: 'human' }]
    expect(card({ messages })).toMatchObject({
      customer_request: '转人工',
      summary: [],
      open_questions: [],
      attempted_answers: [],
      sources: [],
    })
  })

  it('masks before it cuts, so that no half of a number is left', () => {
    const messages: Said[] = [{ role: 'user', content: `${'x '.repeat(246)}13812345678 end` }]
    const { customer_request, summary, open_questions, suggested_reply } = card({ messages })
    expect(JSON.stringify([customer_request, summary, open_questions, suggested_reply])).not.toMatch(/1381/)
  })

  it('keeps the last requests when a conversation is long, and stays small', () => {
    const messages = Array.from({ length: 200 }, (_, index): Said[] => [
      { role: 'user', content: `Question number ${index} about topic${index}? ${'word '.repeat(1500)}` },
      { role: 'assistant', content: `Answer ${index} ${'text '.repeat(1500)}` },
    ]).flat()
    const built = card({ messages })
    expect(built.open_questions).toHaveLength(5)
    expect(built.open_questions.at(-1)).toContain('Question number 199')
    expect(built.attempted_answers).toHaveLength(5)
    expect(built.summary.length).toBeLessThanOrEqual(5)
    expect(JSON.stringify(built).length).toBeLessThan(20_000)
  })

  it('can be built for a session without messages', () => {
    expect(card({ messages: [] })).toMatchObject({ customer_request: '', summary: [], open_questions: [] })
    expect(card({ messages: [] }).suggested_reply).toBe(
      'Hello, this is a member of our support team. I will take it from here.',
    )
  })
})

describe('open questions', () => {
  const ask = (content: string): Said => ({ role: 'user', content })
  const answer = (confident: boolean): Said => ({ role: 'assistant', content: 'An answer.', confident })

  it('close when the same question is answered with confidence later', () => {
    const messages = [
      ask('Where is my parcel 77?'),
      answer(false),
      ask('So where is parcel 77?'),
      answer(true),
      ask('Can I change the address?'),
      answer(false),
    ]
    expect(card({ messages }).open_questions).toEqual(['Can I change the address?'])
  })

  it('open again when it is asked again without success', () => {
    const messages = [ask('Where is my parcel 77?'), answer(true), ask('Where is my parcel 77?'), answer(false)]
    expect(card({ messages }).open_questions).toEqual(['Where is my parcel 77?'])
  })

  it('are those parts of a compound question that failed, and each part is an attempt', () => {
    const messages: Said[] = [
      ask('Where is my parcel and how do I return it?'),
      {
        role: 'assistant',
        content: 'Both.',
        confident: true,
        subTasks: [
          { question: 'Where is my parcel', answer: '', status: 'failed' },
          {
            question: 'how do I return it?',
            answer: 'Use the form.',
            status: 'done',
            sources: [{ source: 'r.md', score: 0.8 }],
          },
        ],
      },
    ]
    const built = card({ messages })
    expect(built.open_questions).toEqual(['Where is my parcel'])
    expect(built.sources).toEqual([{ source: 'r.md', score: 0.8 }])
  })

  it('are closed by an agent, whose words are no attempt of the assistant', () => {
    const messages: Said[] = [ask('Where is my parcel?'), { role: 'agent', content: 'It is here.' }]
    expect(card({ messages })).toMatchObject({ open_questions: [], attempted_answers: [] })
  })

  it('count the last reply before the next question, not a notice before it', () => {
    const messages: Said[] = [
      ask('Where is my parcel?'),
      { role: 'system', content: 'Looking it up' },
      { role: 'assistant', content: 'One moment', confident: false },
      { role: 'assistant', content: 'It is in Lyon.', confident: true },
    ]
    expect(card({ messages }).open_questions).toEqual([])
    expect(card({ messages }).attempted_answers).toMatchObject([{ answer: 'It is in Lyon.' }])
  })
})
