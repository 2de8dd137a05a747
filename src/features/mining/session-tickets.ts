import pLimit from 'p-limit'
import type { Log } from '../../kernel/log.ts'
import { fold } from '../../language/fold.ts'
import { sentenceTerms } from '../../language/key-sentences.ts'
import type { LiveEvents } from '../../platform/live-events.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { maskText } from '../../privacy/index.ts'
import { humanRequestOf } from '../chat/index.ts'
import type { Handoff, HandoffSession } from '../handoff/index.ts'
import type { SessionMessage, StoredMessage } from '../sessions/index.ts'
import type { Draft, Solutions } from '../solutions/index.ts'
import { advanceSessionsCursor, findTicketIds, readSessionsCursor, saveSessionTicket } from './queries.ts'
import { isCourtesy, withoutGreeting } from './reading/letters.ts'
import { saidBy } from './reading/said.ts'
import type { NewTicket } from './types.ts'

export interface SessionTicketsOptions {
  db: Database
  live: LiveEvents
  handoff: Pick<Handoff, 'deskAfter' | 'find' | 'history'>
  /** Keeps the answer of a person as the draft of a solution; null: none is wanted. */
  draft: Solutions['draft'] | null
  log: Log
}

const PAGE = 500
const DELAY_MS = 500

/**
 * Makes a ticket of every conversation that a person resolved, once: soon after it was resolved, and of those that were
 * missed at the latest before a mining run.
 */
export function createSessionTickets(options: SessionTicketsOptions) {
  const { live, log } = options
  const inTurn = pLimit(1)
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  /** One after the other; a failure is the caller's to see. */
  const sweep = (): Promise<void> => inTurn(() => sweepOnce(options, () => isClosed))
  const sweepSoon = (): void => {
    if (isClosed || timer) return
    timer = setTimeout(() => {
      timer = undefined
      sweep().catch((error: unknown) =>
        log.warn({ err: error }, 'Resolved conversations could not be made into tickets'),
      )
    }, DELAY_MS)
    timer.unref()
  }
  const unsubscribe = live.subscribe(
    'workspace',
    ({ type }) => (type === 'resolved' ? sweepSoon() : undefined),
    sweepSoon,
  )
  sweepSoon()

  return {
    sweep,
    async close(): Promise<void> {
      isClosed = true
      unsubscribe()
      clearTimeout(timer)
      await inTurn(async () => {})
    },
  }
}

async function sweepOnce(options: SessionTicketsOptions, isClosed: () => boolean): Promise<void> {
  const { db, handoff } = options
  for (let after = await readSessionsCursor(db.executor); !isClosed(); ) {
    const page = await handoff.deskAfter(after, PAGE)
    const last = page.at(-1)
    if (!last) return
    const resolved = page.filter(({ role, details }) => role === 'system' && details.event === 'resolved')
    const stored = await findTicketIds(db.executor, resolved.map(idOf))
    for (const message of resolved) {
      if (!stored.has(idOf(message))) await keepLeftovers(options, message)
    }
    after = last.deskSeq ?? after
    await advanceSessionsCursor(db.executor, after)
    if (page.length < PAGE) return
  }
}

/** The draft first: a ticket says that a resolution was looked at. */
async function keepLeftovers({ db, handoff, draft }: SessionTicketsOptions, resolution: SessionMessage): Promise<void> {
  const left = await leftBy(handoff, resolution)
  if (!left) return
  if (draft && left.draft) await draft(left.draft)
  await saveSessionTicket(db, left.ticket, resolution.sessionId)
}

/** A session may be resolved more than once; each time is a ticket. */
function idOf({ messageId }: Pick<SessionMessage, 'messageId'>): string {
  return `session:${messageId}`
}

/** Traces that a resolved conversation leaves: a ticket, and where a person answered something the draft of a solution. */
async function leftBy(
  handoff: SessionTicketsOptions['handoff'],
  resolution: SessionMessage,
): Promise<{ ticket: NewTicket; draft: Draft | null } | undefined> {
  const session = await handoff.find(resolution.sessionId)
  if (!session) return undefined
  const history = await handoff.history(resolution.sessionId)
  const before = history.filter(({ seq }) => seq < resolution.seq)
  const previous = before.findLastIndex(({ role, details }) => role === 'system' && details.event === 'resolved')
  const episode = before.slice(previous + 1)
  const asked = episode.filter(({ role }) => role === 'user')
  const content = requestOf(asked.map((message) => message.content))
  if (content === '') return undefined
  const answered = episode.filter(({ role }) => role === 'agent').map((message) => message.content)
  const ticket = {
    ticketId: idOf(resolution),
    subject: '',
    content: maskText(content),
    solution: maskText(solutionOf(answered, session, resolution)),
    status: 'resolved',
    category: session.intent === 'unknown' ? '' : session.intent,
    createdAt: asked[0]?.createdAt ?? resolution.createdAt,
  }
  const texts = draftTexts(episode)
  const since = episode[0]?.createdAt ?? resolution.createdAt
  const { sessionId } = resolution
  return { ticket, draft: texts && { ...texts, sessionId, key: idOf(resolution), since } }
}

/** Fewer words say nothing that others could be told. */
const MIN_TERMS = 3

/** Question that was not answered and what the person wrote to it, both masked; null: too little to go on. */
function draftTexts(episode: readonly StoredMessage[]): Pick<Draft, 'question' | 'solution'> | null {
  const said = saidBy(episode.filter(({ role }) => role === 'agent').map((message) => message.content))
  const question = openQuestion(episode)
  if (question === '' || sentenceTerms(said).size < MIN_TERMS) return null
  return { question: maskText(question).slice(0, MAX_QUESTION), solution: maskText(said) }
}

const MAX_QUESTION = 2_000

/** The last thing that was asked before a person answered, of those that the assistant did not settle. */
function openQuestion(episode: readonly StoredMessage[]): string {
  const first = episode.findIndex(({ role }) => role === 'agent')
  const before = episode.slice(0, first < 0 ? episode.length : first)
  const asked = before.flatMap(({ role, content }, i) => {
    if (role !== 'user' || isCallOrCourtesy(content)) return []
    const reply = before.slice(i + 1).find((message) => message.role !== 'system')
    return [{ content, isSettled: reply?.role === 'assistant' && reply.details.confident === true }]
  })
  const open = asked.findLast(({ isSettled }) => !isSettled) ?? asked.at(-1)
  return withoutGreeting((open?.content ?? '').trim())
}

const MAX_MESSAGES = 20
const MAX_CHARACTERS = 20_000
const SHORT = 40

function isCallOrCourtesy(text: string): boolean {
  return (text.length <= SHORT && humanRequestOf(fold(text)) === 'asked') || isCourtesy(text)
}

/** The customer's question, without the call for a person. */
function requestOf(messages: readonly string[]): string {
  const about = messages.filter((text) => !isCallOrCourtesy(text))
  return about.slice(0, MAX_MESSAGES).join('\n').slice(0, MAX_CHARACTERS)
}

/** The answers of the people; where they only wrote a note, the note. A note belongs to the latest resolution alone. */
function solutionOf(
  messages: readonly string[],
  { note, resolvedAt }: Pick<HandoffSession, 'note' | 'resolvedAt'>,
  resolution: SessionMessage,
): string {
  const said = saidBy(messages)
  if (said !== '') return said
  const isLatest = resolvedAt !== null && Math.abs(resolvedAt.getTime() - resolution.createdAt.getTime()) < 60_000
  return isLatest ? (note ?? '') : ''
}
