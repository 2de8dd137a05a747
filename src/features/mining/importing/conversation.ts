import { saidBy } from '../reading/said.ts'
import { isObject } from './flat-row.ts'
import { adfText, plainText } from './plain-text.ts'

/** The customer's side of a conversation, and the answers of people. */
export interface Exchange {
  asked: string
  answered: string
}

type Role = 'customer' | 'agent' | 'other'

interface Message {
  /** undefined: nothing tells who wrote it. */
  role: Role | undefined
  text: string
}

const MAX_MESSAGES = 200
const NOTHING: Exchange = { asked: '', answered: '' }

/** Reads a conversation out of a list of messages in the forms of common help desks, or out of one text with a speaker before each line. */
export function readExchange(thread: unknown, requesters: readonly unknown[]): Exchange {
  if (typeof thread === 'string') return readTranscript(thread) ?? NOTHING
  const messages = messagesIn(thread)
    .slice(0, MAX_MESSAGES)
    .flatMap((each) => toMessage(each, requesters))
  const by = (role: Role): string[] => messages.filter((message) => message.role === role).map(({ text }) => text)
  const first = messages[0]
  const asked = by('customer')
  // Of messages that nobody signed the first is what it began with.
  if (asked.length === 0 && first && first.role === undefined) asked.push(first.text)
  return { asked: asked.join('\n'), answered: saidBy(by('agent')) }
}

/** The list itself, or the one inside: `{conversation_parts: {conversation_parts: […]}}`. */
function messagesIn(thread: unknown): unknown[] {
  if (Array.isArray(thread)) return thread
  return isObject(thread) ? (Object.values(thread).find(Array.isArray) ?? []) : []
}

const TEXTS =
  'stripped_text body_text plain_body bodyText body text content message html_body summary 消息内容 内容'.split(' ')
/** `12/Mar/24 10:11 AM;its-author;what it says`, as Jira writes comments into a table. */
const SIGNED = /^\d{1,2}\/[a-z]{3}\/\d{2,4}[^;\n]{0,20};([^;\n]{1,200});/i

function toMessage(value: unknown, requesters: readonly unknown[]): Message[] {
  if (typeof value === 'string') {
    const author = SIGNED.exec(value)?.[1]
    const text = plainText(value.replace(SIGNED, '')).trim()
    return text === '' ? [] : [{ role: author === undefined ? undefined : roleByName(author, requesters), text }]
  }
  if (!isObject(value) || isPrivate(value)) return []
  const found = TEXTS.map((name) => value[name]).find((text) => typeof text === 'string' || isObject(text))
  const text = (isObject(found) ? adfText(found) : plainText(String(found ?? ''))).trim()
  return text === '' ? [] : [{ role: roleOf(value, requesters), text }]
}

/** Notes among staff are no answers. */
function isPrivate(message: Record<string, unknown>): boolean {
  const isNote = message.type === 'note' || message.type === 'lineitem' || message.part_type === 'note'
  return isNote || message.private === true || [message.public, message.isPublic, message.jsdPublic].includes(false)
}

const BY_FLAG: readonly (readonly [name: string, value: unknown, role: Role])[] = [
  ['from_agent', true, 'agent'],
  ['from_agent', false, 'customer'],
  ['incoming', true, 'customer'],
  ['incoming', false, 'agent'],
  ['is_inbound', true, 'customer'],
  ['is_inbound', false, 'agent'],
  ['direction', 'in', 'customer'],
  ['direction', 'inbound', 'customer'],
  ['direction', 'incoming', 'customer'],
  ['direction', 'out', 'agent'],
  ['direction', 'outbound', 'agent'],
  ['direction', 'outgoing', 'agent'],
  ['message_type', 0, 'customer'],
  ['message_type', 'incoming', 'customer'],
  ['message_type', 1, 'agent'],
  ['message_type', 'outgoing', 'agent'],
  ['message_type', 2, 'other'],
  ['message_type', 3, 'other'],
  ['message_type', 'activity', 'other'],
  ['message_type', 'template', 'other'],
  ['type', 'customer', 'customer'],
]
const AUTHORS =
  'author sender from created_by createdBy user author_role authorRole sender_type senderType sender_role role 发送者 发送人 发送者类型 发送人类型 角色'.split(
    ' ',
  )
const AUTHOR_IDS = ['author_id', 'authorId', 'sender_id', 'user_id'] as const

function roleOf(message: Record<string, unknown>, requesters: readonly unknown[]): Role | undefined {
  const flag = BY_FLAG.find(([name, value]) => message[name] === value)
  if (flag) return flag[2]
  for (const name of AUTHORS) {
    const role = authorRole(name, message[name], requesters)
    if (role) return role
  }
  const id = AUTHOR_IDS.map((name) => message[name]).find((value) => value !== undefined)
  return id === undefined ? undefined : roleByName(String(id), requesters)
}

function authorRole(name: string, author: unknown, requesters: readonly unknown[]): Role | undefined {
  if (typeof author === 'string') return roleWord(author)
  if (!isObject(author)) return undefined
  const word = [author.role, author.type, author.accountType].find((value) => typeof value === 'string')
  // In Help Scout a user is staff; elsewhere a user is a customer.
  if (name === 'createdBy' && word === 'user') return 'agent'
  const told = word === undefined ? undefined : roleWord(word)
  if (told) return told
  const id = author.accountId ?? author.id ?? author.name
  return id === undefined ? undefined : roleByName(String(id), requesters)
}

const CUSTOMERS =
  /^(?:customer|end[-_ ]?user|user|visitor|lead|contact|client|requester|guest|客户|访客|用户|顾客|买家|会员|咨询者)/i
const STAFF =
  /^(?:agent|admin|staff|support|operator|employee|representative|teammate|owner|客服|坐席|座席|人工|接待|员工|商家|店铺)/i
const MACHINES = /^(?:bot|robot|system|automation|workflow|assistant|agent_?bot|ai|机器人|系统|自动|智能)/i

function roleWord(word: string): Role | undefined {
  const name = word.trim()
  if (MACHINES.test(name)) return 'other'
  if (STAFF.test(name)) return 'agent'
  return CUSTOMERS.test(name) ? 'customer' : undefined
}

/** The role of an author among those who are known to have asked: everybody else answers. */
function roleByName(author: string, requesters: readonly unknown[]): Role | undefined {
  const names = requesters.flatMap((each) => (isObject(each) ? Object.values(each) : [each]))
  if (names.length === 0) return undefined
  return names.some((name) => String(name) === author) ? 'customer' : 'agent'
}

const SPEAKER =
  /^[[【(（]?\s{0,2}(customer|visitor|client|user|end-user|agent|admin|support|staff|bot|robot|system|客户|访客|用户|顾客|买家|客服|坐席|座席|人工|机器人|系统)[^\n:：]{0,40}?(?:(?:[\d/年月日-]{4,12}\s{1,2})?\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AP]M)?(?:\s{0,2}[:：]|\s|$)|(?<!\d)\s{0,2}[:：])\s{0,3}/iu
const MAX_TRANSCRIPT = 100_000

/** A text with a speaker before each message ("客服小王 10:02:11：您好"); null when it is none. */
export function readTranscript(text: string): Exchange | null {
  const messages: Message[] = []
  for (const line of text.slice(0, MAX_TRANSCRIPT).split(/\r\n?|\n/)) {
    const [head = '', speaker = ''] = SPEAKER.exec(line.trim()) ?? []
    const said = line.trim().slice(head.length)
    const last = messages.at(-1)
    if (head !== '') messages.push({ role: roleWord(speaker), text: said })
    else if (last) last.text = `${last.text}\n${said}`.trim()
  }
  const by = (role: Role): string[] =>
    messages.filter((message) => message.role === role && message.text !== '').map((message) => message.text)
  const [asked, answered] = [by('customer'), by('agent')]
  return asked.length > 0 && answered.length > 0 ? { asked: asked.join('\n'), answered: saidBy(answered) } : null
}
