import { type TObject, type TSchema, Type } from 'typebox'
import type { Scope } from '../../kernel/scopes.ts'
import type { Chat } from '../chat/index.ts'
import type { Gaps } from '../gaps/index.ts'
import { presentDetail, type Workspace } from '../handoff/index.ts'
import type { Knowledge } from '../knowledge/index.ts'

export interface ToolOptions {
  knowledge: Pick<Knowledge, 'search'>
  chat: Pick<Chat, 'reply'>
  workspace: Pick<Workspace, 'detail'>
  gaps: Pick<Gaps, 'list'>
}

/** Who calls a tool, and until when. */
export interface ToolContext {
  scopes: ReadonlySet<Scope>
  signal: AbortSignal
}

/** A tool for assistants elsewhere. Its result is JSON as `output` says; `text` is what an assistant reads of it. */
export interface Tool {
  name: string
  /** The endpoint that does the same, by whose scopes it is used. */
  endpoint: [method: string, path: string]
  title: string
  description: string
  input: TObject
  output: TSchema
  isReadOnly: boolean
  // biome-ignore lint/suspicious/noExplicitAny: checked by `input` before it is called
  run(given: any, context: ToolContext): Promise<Record<string, unknown>>
  text(result: Record<string, unknown>): string
}

const Question = Type.String({ minLength: 1, maxLength: 8_000 })
const SessionId = Type.String({ minLength: 1, maxLength: 200, description: 'Of a conversation that goes on' })
const UserId = Type.String({ minLength: 1, maxLength: 200, description: "The shop's name for the customer who asks" })
const Passage = Type.Object({
  title: Type.String(),
  content: Type.String(),
  source: Type.String(),
  doc_id: Type.String(),
  version: Type.String(),
  score: Type.Number({ description: '0..1' }),
  url: Type.Union([Type.String(), Type.Null()]),
})
const Replied = Type.Object({
  session_id: Type.String({ description: 'Give it with the next question of the same conversation' }),
  reply: Type.String(),
  sources: Type.Array(
    Type.Object({ title: Type.String(), source: Type.String(), url: Type.Union([Type.String(), Type.Null()]) }),
  ),
  choices: Type.Array(Type.String(), { description: 'Documents that may be asked for by title' }),
  handed_over: Type.Boolean({ description: 'A person has the conversation, or is called' }),
})

export function createTools(options: ToolOptions): Tool[] {
  return [searchTool(options), askTool(options), readTool(options), handOverTool(options), gapsTool(options)]
}

function searchTool({ knowledge }: ToolOptions): Tool {
  return {
    name: 'search_knowledge',
    endpoint: ['POST', '/api/v1/knowledge/search'],
    title: 'Search the knowledge base',
    description:
      'Passages of the company’s documents on a question, the best first, in Chinese and English. Quote them with their source.',
    isReadOnly: true,
    input: Type.Object({
      query: Type.String({ minLength: 1, maxLength: 2_000 }),
      top_k: Type.Integer({ minimum: 1, maximum: 20, default: 5 }),
    }),
    output: Type.Object({ passages: Type.Array(Passage) }),
    async run({ query, top_k: topK }: { query: string; top_k: number }) {
      const hits = await knowledge.search({ query, topK })
      return {
        passages: hits.map(({ title, content, source, docId, version, score, url }) => {
          return { title, content, source, doc_id: docId, version: `v${version}`, score, url: url ?? null }
        }),
      }
    },
    text: ({ passages }) =>
      (passages as { title: string; content: string; source: string }[])
        .map(({ title, content, source }, i) => `[${i + 1}] ${title} (${source})\n${content}`)
        .join('\n\n') || 'Nothing was found.',
  }
}

function askTool({ chat }: ToolOptions): Tool {
  return {
    name: 'ask',
    endpoint: ['POST', '/api/v1/chat'],
    title: 'Ask the customer-service assistant',
    description:
      'The answer that a customer would get, from the knowledge base and, for a customer who is named, their own orders. ' +
      'Give the `session_id` of the answer with the next question. It may call a person by itself.',
    isReadOnly: false,
    input: Type.Object({
      question: Question,
      session_id: Type.Optional(SessionId),
      user_id: Type.Optional(UserId),
    }),
    output: Replied,
    run: (given: Asked, { signal }) => reply(chat, given, false, signal),
    text: ({ reply: text }) => String(text),
  }
}

function handOverTool({ chat }: ToolOptions): Tool {
  return {
    name: 'hand_over',
    endpoint: ['POST', '/api/v1/chat'],
    title: 'Hand a conversation over to a person',
    description:
      'Calls a person of the company, who gets everything that was said and the `question` as the customer’s wish. Without a ' +
      '`session_id` a conversation begins. What the person writes is read by `read_conversation`.',
    isReadOnly: false,
    input: Type.Object({
      question: Question,
      session_id: Type.Optional(SessionId),
      user_id: Type.Optional(UserId),
    }),
    output: Replied,
    run: (given: Asked, { signal }) => reply(chat, given, true, signal),
    text: ({ reply: text }) => String(text),
  }
}

interface Asked {
  question: string
  session_id?: string
  user_id?: string
}

async function reply(
  chat: ToolOptions['chat'],
  { question, session_id: sessionId = '', user_id: userId = '' }: Asked,
  callsPerson: boolean,
  signal: AbortSignal,
) {
  const request = { message: question, sessionId: sessionId.trim(), userId: userId.trim(), channel: 'api' as const }
  const outcome = await chat.reply({ ...request, callsPerson }, signal)
  return {
    session_id: outcome.sessionId,
    reply: outcome.reply,
    sources: outcome.sources.map(({ title, source, url }) => ({ title, source, url: url ?? null })),
    choices: outcome.suggestions.map(({ title }) => title),
    handed_over: outcome.escalate,
  }
}

function readTool({ workspace }: ToolOptions): Tool {
  return {
    name: 'read_conversation',
    endpoint: ['GET', '/api/v1/agent/sessions/:session_id'],
    title: 'Read a conversation',
    description: 'What was said in a conversation, who has it, and why a person was called. Personal data is masked.',
    isReadOnly: true,
    input: Type.Object({ session_id: SessionId }),
    output: Type.Object({
      session_id: Type.String(),
      agent_status: Type.String({ description: 'none, pending, assigned or resolved' }),
      agent_id: Type.Union([Type.String(), Type.Null()]),
      reason: Type.Union([Type.String(), Type.Null()]),
      messages: Type.Array(
        Type.Object({
          message_id: Type.String(),
          role: Type.String(),
          content: Type.String(),
          timestamp: Type.String(),
        }),
      ),
    }),
    async run({ session_id: sessionId }: { session_id: string }) {
      const { session_id, agent_status, agent_id, history, escalation_card } = presentDetail(
        await workspace.detail(sessionId.trim()),
      )
      return {
        session_id,
        agent_status,
        agent_id,
        reason: escalation_card?.reason_detail ?? null,
        messages: history.map(({ message_id, role, content, timestamp }) => ({ message_id, role, content, timestamp })),
      }
    },
    text: ({ agent_status, messages }) =>
      [
        `Status: ${agent_status}`,
        ...(messages as { role: string; content: string }[]).map(({ role, content }) => `${role}: ${content}`),
      ].join('\n'),
  }
}

function gapsTool({ gaps }: ToolOptions): Tool {
  return {
    name: 'list_gaps',
    endpoint: ['GET', '/api/v1/knowledge/gaps'],
    title: 'List what the knowledge base does not answer',
    description: 'Questions of customers that got no answer, grouped by meaning, those of most conversations first.',
    isReadOnly: true,
    input: Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }) }),
    output: Type.Object({
      gaps: Type.Array(
        Type.Object({
          gap_id: Type.String(),
          question: Type.String(),
          count: Type.Integer(),
          conversations: Type.Integer(),
          examples: Type.Array(Type.String()),
        }),
      ),
      total: Type.Integer(),
    }),
    async run({ limit }: { limit: number }) {
      const filter = { state: 'open' as const, since: null, until: null, language: null }
      const { gaps: found, total } = await gaps.list(filter, limit)
      return {
        gaps: found.map(({ gapId, question, count, sessions, examples }) => {
          return { gap_id: gapId, question, count, conversations: sessions, examples }
        }),
        total,
      }
    },
    text: ({ gaps: found }) =>
      (found as { question: string; conversations: number }[])
        .map(({ question, conversations }) => `${conversations}× ${question}`)
        .join('\n') || 'There are no gaps.',
  }
}
