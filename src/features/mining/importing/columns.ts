import { plainForm } from '../../../language/fold.ts'
import type { ImportedColumns } from '../types.ts'
import { type FlatRow, flatten } from './flat-row.ts'

/**
 * The names of a ticket's fields in exports of common help desks (Zendesk, Freshdesk, Intercom, Help Scout, HubSpot, Jira, Chatwoot,
 * Gorgias, Zoho, Salesforce, ServiceNow, 美洽, 网易七鱼, 智齿, Udesk, 企业微信), in English and Chinese. Separators do not count.
 */
const NAMES = {
  ticket_id:
    'ticket_id, id, ticket, ticket number, ticket no, ticket #, case id, case number, case, issue id, issue key, key, conversation id, conversation number, request id, object id, hs_object_id, record id, display_id, field_num, number, session id, 工单号, 工单编号, 工单id, 工单流水号, 工单, 会话id, 会话编号, 对话id, 对话编号, 咨询编号, 记录id, 编号, 单号, 序号',
  subject:
    'subject, ticket name, ticket title, ticket subject, summary, short description, raw_subject, topic, title, name, 标题, 主题, 工单标题, 工单主题, 工单名称, 问题标题, 会话主题, 概要, 摘要',
  content:
    'content, description_text, text, body_text, stripped_text, plain_body, body, description, ticket description, ticket content, ticket body, question, customer question, message, first message, customer message, initial message, problem, issue, details, detail, request, query, inquiry, 内容, 工单内容, 工单描述, 问题描述, 问题内容, 描述, 详情, 详细描述, 问题详情, 咨询内容, 咨询问题, 客户问题, 用户问题, 访客问题, 客户消息, 访客消息, 首条消息, 留言内容, 消息内容, 反馈内容, 会话内容, 对话内容, 聊天内容, 正文, 诉求, 问题',
  solution:
    'solution, answer, reply, agent reply, agent response, first reply, first response, last reply, latest reply, public reply, last public comment, resolution, resolution notes, hs_resolution, close notes, closing comment, response, fix, 解决方案, 解决办法, 解决方法, 客服回复, 客服答复, 坐席回复, 人工回复, 回复内容, 最后公开回复, 最后回复, 首次回复, 首次回复内容, 处理结果, 处理方案, 处理意见, 处理内容, 处理备注, 处理说明, 答复内容, 答复, 回复, 答案, 方案',
  status:
    'status, ticket status, state, statusname, ticket state, conversation status, hs_pipeline_stage, 状态, 工单状态, 处理状态, 会话状态, 当前状态',
  category:
    'category, ticket category, hs_ticket_category, ticket type, issue type, request type, conversation topic, typename, label, labels, tag, tags, type, classification, classifications, reason, 分类, 工单分类, 会话分类, 咨询分类, 咨询类型, 类别, 类型, 工单类型, 问题类型, 问题分类, 业务类型, 标签, 会话标签',
  created_at:
    'created_at, created, created time, create time, create date, created date, createdate, date created, created_datetime, creation date, opened at, opened, submitted at, started at, conversation started at, date opened, received at, date, time, timestamp, 创建时间, 提交时间, 建单时间, 发起时间, 创建日期, 会话开始时间, 对话开始时间, 开始时间, 会话时间, 咨询时间, 留言时间, 消息时间, 日期, 时间',
}

export type TicketField = keyof typeof NAMES

export const TICKET_FIELDS = Object.keys(NAMES) as TicketField[]
/** Columns that a caller names because nothing tells them, or because another one is meant. */
export type ChosenColumns = Partial<Record<TicketField, string>>

/** The conversation of a ticket, message by message or as one text. */
const THREADS = new Set(
  'comments, comment, conversation, conversations, conversation_parts, messages, threads, thread, replies, transcript, chat transcript, chat history, chat log, history, 沟通记录, 会话记录, 对话记录, 聊天记录, 消息记录, 处理记录, 回复记录, 会话内容, 对话内容, 聊天内容'
    .split(',')
    .map(foldName),
)
/** Who asked, so that others' messages are the answers. */
const REQUESTERS = new Set(
  'requester_id, requester, reporter id, reporter, customer_id, contact_id'.split(',').map(foldName),
)
/** Who wrote a message, in files with a row for each message. */
const SPEAKERS =
  'sender type, sender role, author role, author type, speaker, role, sender, from, 发送者类型, 发送人类型, 发送方类型, 发送方, 发送者, 发送人, 消息发送者, 发言人, 角色'
    .split(',')
    .map(foldName)
/** Earlier names win where a row has several. */
const KNOWN = TICKET_FIELDS.map((field) => [field, NAMES[field].split(',').map(foldName)] as const)

const MAX_SHOWN = 100
const MAX_NAME = 100

function foldName(name: string): string {
  return plainForm(name).replace(/[\s_\-.·:/#()（）*]+/g, '')
}

export interface ReadRow {
  fields: Partial<Record<TicketField, unknown>>
  /** Its conversation, in whatever form. */
  thread: unknown
  /** Names of the customer: ids, names, or objects that hold them. */
  requesters: unknown[]
  raw: Record<string, unknown>
}

export type Columns = ReturnType<typeof createColumns>

/** Finds the fields of tickets among whatever rows call them, and keeps in mind which columns were used. */
export function createColumns(chosen: ChosenColumns = {}) {
  const used = new Map<TicketField, Set<string>>()
  const seen = new Map<string, boolean>()
  const wanted = new Map(Object.entries(chosen).map(([field, name]) => [field as TicketField, foldName(name)]))

  const note = (name: string, field: TicketField): void => {
    seen.set(name, true)
    used.set(field, (used.get(field) ?? new Set()).add(name))
  }
  const pick = (flat: FlatRow, names: readonly string[]) => names.map((name) => flat.get(name)).find((found) => found)

  return {
    read(row: Record<string, unknown>): ReadRow {
      const flat = flatten(row, foldName)
      for (const { name } of flat.values()) if (!seen.has(name)) seen.set(name, false)
      const fields: ReadRow['fields'] = {}
      for (const [field, names] of KNOWN) {
        const own = wanted.get(field)
        const found = pick(flat, own === undefined ? names.filter((name) => isFree(name, wanted)) : [own])
        if (!found) continue
        fields[field] = found.value
        note(found.name, field)
      }
      const of = (names: ReadonlySet<string>) =>
        [...flat].flatMap(([folded, column]) => (names.has(folded) ? column : []))
      const [thread] = of(THREADS)
      if (thread) seen.set(thread.name, true)
      return { fields, thread: thread?.given, requesters: of(REQUESTERS).map(({ given }) => given), raw: row }
    },

    /** Those of the rows read so far. */
    used(): ImportedColumns {
      const lists = [...used].map(([field, names]) => [field, [...names].map(shorten)] as const)
      return {
        used: Object.fromEntries(lists),
        ignored: [...seen].flatMap(([name, is]) => (is ? [] : shorten(name))).slice(0, MAX_SHOWN),
      }
    },
    names: (): string[] => [...seen.keys()].map(shorten).slice(0, MAX_SHOWN),
    has: (field: TicketField): boolean => used.has(field),
  }
}

/** A column that was chosen for one field is not taken for another. */
function isFree(name: string, wanted: ReadonlyMap<TicketField, string>): boolean {
  return ![...wanted.values()].includes(name)
}

function shorten(name: string): string {
  return name.slice(0, MAX_NAME)
}

/** Who says what a row holds; undefined where it does not tell. */
export function speakerOf(row: Record<string, unknown>): string | undefined {
  const flat = flatten(row, foldName)
  const found = SPEAKERS.map((name) => flat.get(name)?.value).find((value) => typeof value === 'string')
  return found as string | undefined
}
