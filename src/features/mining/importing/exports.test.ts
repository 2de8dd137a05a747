import { describe, expect, it } from 'vitest'
import { createColumns } from './columns.ts'
import { readTranscript } from './conversation.ts'
import { toTicket } from './ticket-row.ts'

const read = (row: Record<string, unknown>) => toTicket(createColumns().read(row))
const paragraph = (text: string) => ({
  type: 'doc',
  version: 1,
  content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
})

const ASKED = 'The remote does not pair'
const ANSWER = 'Hold both keys for three seconds, then wait until the light is steady.'

/** A ticket as each help desk writes it, as far as this project's authors know their formats. */
const EXPORTS: Record<string, Record<string, unknown>> = {
  'Zendesk, JSON': {
    id: 42,
    subject: 'Remote',
    description: ASKED,
    status: 'solved',
    tags: ['remote'],
    requester_id: 7,
    created_at: '2026-03-02T09:05:00Z',
    comments: [
      { author_id: 7, body: ASKED, public: true },
      { author_id: 9, body: 'Maybe the batteries?', public: false },
      { author_id: 9, body: `Hi Jo,\n${ANSWER}`, public: true },
    ],
  },
  'Freshdesk, API': {
    id: 42,
    subject: 'Remote',
    description: `<div>${ASKED}</div>`,
    description_text: ASKED,
    status: 4,
    tags: ['remote'],
    responder_id: 3,
    created_at: '2026-03-02T09:05:00Z',
    conversations: [
      { body_text: 'Any news?', incoming: true, private: false },
      { body_text: ANSWER, incoming: false, private: false },
      { body_text: 'note', incoming: false, private: true },
    ],
  },
  'Intercom, conversation': {
    type: 'conversation',
    id: '42',
    state: 'closed',
    created_at: 1_772_442_300,
    source: { type: 'conversation', subject: 'Remote', body: `<p>${ASKED}</p>`, author: { type: 'user', id: 'u' } },
    tags: { type: 'tag.list', tags: [{ name: 'remote' }] },
    conversation_parts: {
      type: 'conversation_part.list',
      conversation_parts: [
        { part_type: 'comment', body: `<p>${ANSWER}</p>`, author: { type: 'admin', id: 'a' } },
        { part_type: 'comment', body: '<p>I am a bot</p>', author: { type: 'bot', id: 'b' } },
        { part_type: 'note', body: '<p>secret</p>', author: { type: 'admin', id: 'a' } },
      ],
    },
  },
  'Help Scout, API': {
    id: 42,
    subject: 'Remote',
    status: 'closed',
    tags: [{ id: 1, color: '#fff', tag: 'remote' }],
    createdAt: '2026-03-02T09:05:00Z',
    _embedded: {
      threads: [
        { type: 'customer', body: ASKED, createdBy: { type: 'customer', id: 1 } },
        { type: 'note', body: 'Is it the old one?', createdBy: { type: 'user', id: 2 } },
        { type: 'message', body: ANSWER, createdBy: { type: 'user', id: 2 } },
      ],
    },
  },
  'HubSpot, API': {
    id: '42',
    properties: {
      subject: 'Remote',
      content: ASKED,
      hs_pipeline_stage: 'closed',
      hs_ticket_category: 'remote',
      hs_resolution: ANSWER,
      createdate: '2026-03-02T09:05:00Z',
    },
  },
  'HubSpot, table': {
    'Ticket ID': '42',
    'Ticket name': 'Remote',
    'Ticket description': ASKED,
    'Ticket status': 'Closed (Support Pipeline)',
    Category: 'remote',
    Resolution: ANSWER,
    'Create date': '2026-03-02 09:05',
  },
  'Jira, API': {
    id: '42',
    key: 'SUP-1',
    fields: {
      summary: 'Remote',
      description: paragraph(ASKED),
      status: { name: 'Resolved' },
      resolution: { name: 'Done' },
      labels: ['remote'],
      created: '2026-03-02T09:05:00.000+0000',
      reporter: { accountId: 'r', displayName: 'Jo' },
      comment: {
        comments: [
          { author: { accountId: 'r', accountType: 'customer' }, body: paragraph('Hello?') },
          { author: { accountId: 'x', accountType: 'atlassian' }, body: paragraph('internal'), jsdPublic: false },
          { author: { accountId: 'x', accountType: 'atlassian' }, body: paragraph(ANSWER), jsdPublic: true },
        ],
      },
    },
  },
  'Jira, table': {
    'Issue id': '42',
    Summary: 'Remote',
    Description: ASKED,
    Status: 'Resolved',
    Resolution: 'Done',
    Labels: 'remote',
    'Reporter Id': 'r',
    Created: '02/Mar/26 9:05 AM',
    Comment: ['02/Mar/26 9:15 AM;r;Hello?', `02/Mar/26 9:20 AM;x;${ANSWER}`],
  },
  'Chatwoot, API': {
    id: 42,
    status: 'resolved',
    labels: ['remote'],
    created_at: 1_772_442_300,
    messages: [
      { content: ASKED, message_type: 0, private: false, sender: { type: 'contact' } },
      { content: 'Jo joined', message_type: 2, private: false },
      { content: ANSWER, message_type: 1, private: false, sender: { type: 'user' } },
      { content: 'note', message_type: 1, private: true, sender: { type: 'user' } },
    ],
  },
  'Gorgias, API': {
    id: 42,
    subject: 'Remote',
    excerpt: 'Hold both keys …',
    status: 'closed',
    tags: [{ id: 1, name: 'remote' }],
    created_datetime: '2026-03-02T09:05:00',
    messages: [
      { body_text: `${ASKED}\n\nSent`, stripped_text: ASKED, from_agent: false, public: true },
      { body_text: ANSWER, from_agent: true, public: true },
    ],
  },
  'Zoho Desk, API': {
    id: '4200001',
    ticketNumber: '42',
    subject: 'Remote',
    description: `<div>${ASKED}<br /></div>`,
    status: 'Closed',
    category: 'remote',
    createdTime: '2026-03-02T09:05:00.000Z',
    threads: [
      { direction: 'in', summary: ASKED },
      { direction: 'out', summary: ANSWER },
    ],
  },
  '网易七鱼, 表格': {
    工单ID: '42',
    工单标题: 'Remote',
    工单内容: ASKED,
    工单分类: 'remote',
    工单状态: '已完结',
    创建时间: '2026-03-02 09:05:00',
    处理备注: ANSWER,
  },
  '智齿, 表格': {
    工单编号: '42',
    工单标题: 'Remote',
    问题描述: ASKED,
    问题分类: 'remote',
    工单状态: '已解决',
    创建时间: '2026-03-02 09:05:00',
    回复内容: ANSWER,
  },
  'Udesk, 表格': {
    工单编号: '42',
    主题: 'Remote',
    描述: ASKED,
    标签: 'remote',
    状态: '已解决',
    创建时间: '2026年3月2日 9:05',
    最后公开回复: ANSWER,
  },
  'Udesk, API': {
    id: 42,
    subject: 'Remote',
    content: ASKED,
    status: 'resolved',
    user: 'Jo',
    tags: 'remote',
    created_at: '2026-03-02 17:05:00 +0800',
    replies: [
      { content: 'Any news?', author: { type: 'customer' } },
      { content: ANSWER, author: { type: 'agent' } },
    ],
  },
  '美洽, 对话': {
    对话ID: '42',
    对话开始时间: '2026/3/2 9:05',
    标签: 'remote',
    聊天记录: `客户 09:05:10\n${ASKED}\n机器人 09:05:11\n正在为您转接\n客服（小王） 09:06:02\n您好\n${ANSWER}`,
  },
  '企业微信, 会话': {
    会话ID: '42',
    会话开始时间: '2026-03-02 09:05',
    会话标签: 'remote',
    会话内容: `客户：${ASKED}\n客服：${ANSWER}`,
  },
}

describe('tickets of other help desks', () => {
  it.each(Object.keys(EXPORTS))('are read as %s writes them', (name) => {
    const ticket = read(EXPORTS[name] as Record<string, unknown>)
    expect(ticket).toMatchObject({ content: ASKED, solution: ANSWER, createdAt: new Date('2026-03-02T09:05:00Z') })
    expect(ticket?.ticketId).toMatch(/^42/)
  })

  it('have a subject, a category and a state where there is one', () => {
    for (const [name, row] of Object.entries(EXPORTS)) {
      const ticket = read(row)
      if (!/Intercom|Chatwoot|美洽|企业微信/.test(name)) expect([name, ticket?.subject]).toEqual([name, 'Remote'])
      expect([name, ticket?.category]).toEqual([name, 'remote'])
      if (!/美洽|企业微信/.test(name)) expect(ticket?.status).toMatch(/^(?:solved|resolved|closed|已)/)
    }
  })

  it('say nothing of what staff noted among themselves', () => {
    const told = JSON.stringify(Object.values(EXPORTS).map(read))
    expect(told).not.toMatch(/batteries|secret|internal|note|old one|I am a bot/)
  })
})

describe('a conversation in one text', () => {
  it('is told by who speaks in it, customer and staff', () => {
    expect(
      readTranscript('Customer: It hums\nAgent (Jo) 10:02 AM: Which lamp?\nCustomer: The desk lamp\n  since today'),
    ).toEqual({
      asked: 'It hums\nThe desk lamp\nsince today',
      answered: 'Which lamp?',
    })
  })

  it.each(['Customer service never answers: what now?', 'User: me\nPassword: you know', '客服一直不回复', 'It hums'])(
    'is not read into %j',
    (text) => expect(readTranscript(text)).toBeNull(),
  )
})

describe('the names of columns', () => {
  it('are known whatever their case and separators, and a chosen one counts for nothing else', () => {
    const row = { TICKET_id: '1', 'Problem-Description': 'x', BODY: 'It hums', Question: 'Why?' }
    expect(read(row)?.content).toBe('It hums')
    const columns = createColumns({ subject: 'body' })
    expect(toTicket(columns.read(row))).toMatchObject({ subject: 'It hums', content: 'Why?' })
    expect(columns.used()).toEqual({
      used: { ticket_id: ['TICKET_id'], subject: ['BODY'], content: ['Question'] },
      ignored: ['Problem-Description'],
    })
  })
})
