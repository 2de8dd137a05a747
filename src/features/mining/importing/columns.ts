import { plainForm } from '../../../language/fold.ts'

/** The names of a ticket's fields in exports of common help desks, in English and Chinese. Separators do not count. */
const NAMES = {
  ticket_id:
    'ticket_id, id, ticket, ticket number, ticket no, case id, case number, issue id, issue key, key, number, 工单号, 工单编号, 工单id, 工单, 编号, 单号, 序号',
  subject: 'subject, title, summary, topic, 标题, 主题, 工单标题, 问题标题, 概要',
  content:
    'content, text, body, description, question, message, problem, issue, details, detail, request, query, 内容, 工单内容, 问题描述, 问题, 描述, 详情, 咨询内容, 客户问题, 正文, 诉求',
  solution:
    'solution, resolution, answer, reply, response, fix, agent reply, 解决方案, 解决办法, 解决方法, 处理结果, 处理方案, 处理意见, 答复, 回复, 答案, 方案',
  status: 'status, state, ticket status, 状态, 工单状态, 处理状态',
  category: 'category, type, ticket type, label, tag, tags, 分类, 类别, 类型, 工单类型, 问题类型, 问题分类, 标签',
  created_at:
    'created_at, created, created time, create time, creation date, opened at, submitted at, date, time, timestamp, 创建时间, 提交时间, 建单时间, 创建日期, 日期, 时间',
}

export type TicketField = keyof typeof NAMES

const FIELDS = Object.entries(NAMES) as [TicketField, string][]
/** Earlier names win where a row has several. */
const KNOWN = FIELDS.map(([field, names]) => [field, names.split(',').map(fold)] as const)

function fold(name: string): string {
  return plainForm(name).replace(/[\s_\-.·:/]+/g, '')
}

/** The fields of a ticket among whatever a row calls them; blank ones are left out. */
export function fieldsOf(row: Record<string, unknown>): Partial<Record<TicketField, unknown>> {
  const byName = new Map<string, unknown>()
  for (const [name, value] of Object.entries(row)) {
    if (!isBlank(value) && !byName.has(fold(name))) byName.set(fold(name), value)
  }
  const found = KNOWN.flatMap(([field, names]) => {
    const name = names.find((each) => byName.has(each))
    return name === undefined ? [] : [[field, byName.get(name)] as const]
  })
  return Object.fromEntries(found)
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}
