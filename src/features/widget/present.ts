import type { Aside } from '../../kernel/asides.ts'
import type { attachmentPresenter } from '../attachments/index.ts'
import { type ChatEvent, createSourceLines, type TurnOutcome, withoutSourceLines } from '../chat/index.ts'
import type { Source, StoredMessage } from '../sessions/index.ts'
import { confirmations } from './phrases.ts'
import type { ConversationState, Widget, WidgetSettings } from './types.ts'

/** From records to what a customer's browser is told: nothing of cards, emotions, parts of a turn, or colleagues. */

/** As event streams send it. */
interface LiveEvent {
  event: string
  data: unknown
  id?: string
}

export type Present = ReturnType<typeof attachmentPresenter>
type Files = readonly Parameters<Present>[0][]

export function presentState(state: ConversationState) {
  const { status, agentName, place, isOpen, opensAt, isSomebodyThere, canRate } = state
  return {
    status,
    agent_name: agentName,
    place,
    open_now: isOpen,
    next_open: opensAt?.toISOString() ?? null,
    somebody_there: isSomebodyThere,
    can_rate: canRate,
  }
}

/** @param showsSources the widget's own choice */
function presentSources(sources: readonly Source[], showsSources: boolean) {
  if (!showsSources) return []
  // A list of questions often has no title but that of its file.
  return sources.map(({ title, question, excerpt, url }) => ({
    title: question ?? title,
    excerpt: excerpt ?? null,
    url: url ?? null,
  }))
}

export interface MessageView {
  showsSources: boolean
  files: Files
  feedback: ReadonlyMap<string, 'up' | 'down'>
  presentFile: Present
  /** Names of people, as customers are told them, by those of the desk. */
  names: ReadonlyMap<string, string | null>
}

export function presentMessage(message: StoredMessage, view: MessageView) {
  const { messageId, role, content, createdAt, sources, details } = message
  const file = view.files.find((each) => each.messageId === messageId)
  return {
    message_id: messageId,
    role,
    content: role === 'assistant' ? withoutSourceLines(content, sources ?? []) : content,
    timestamp: createdAt.toISOString(),
    event: role === 'system' ? (details.event ?? 'notice') : null,
    agent_name: role === 'agent' && details.agentId !== undefined ? (view.names.get(details.agentId) ?? null) : null,
    sources: presentSources(sources ?? [], view.showsSources),
    attachment: file ? presentFile(view.presentFile(file)) : null,
    rating: view.feedback.get(messageId) ?? null,
  }
}

function presentFile({ file_name, media_type, size, url }: ReturnType<Present>) {
  return { file_name, media_type, size, url }
}

/** An event of the conversation; those without an id matter for a moment. */
export function presentLive(event: StoredMessage | Aside, view: MessageView): LiveEvent {
  if ('aside' in event) {
    const { expires_at } = event.data as { expires_at?: string }
    return { event: event.aside, data: expires_at === undefined ? {} : { expires_at } }
  }
  return { event: 'message', data: presentMessage(event, view), id: String(event.seq) }
}

export interface Replying {
  messageId: string
  language: 'zh' | 'en'
  widget: Widget
  state: ConversationState
}

export function presentOutcome(outcome: TurnOutcome, { language, widget, state, messageId }: Replying) {
  return {
    message_id: messageId,
    reply_id: outcome.messageId === '' ? null : outcome.messageId,
    reply: withoutSourceLines(outcome.reply, outcome.sources),
    sources: presentSources(outcome.sources, widget.settings.showsSources),
    choices: choicesOf(outcome, language),
    state: presentState(state),
  }
}

/** Words that the customer may say next by a touch. */
function choicesOf({ suggestions, pending }: TurnOutcome, language: 'zh' | 'en'): string[] {
  if (pending?.kind === 'confirm') return [...confirmations(language)]
  if (pending?.kind === 'choose') return [...pending.order_ids]
  return suggestions.map(({ title }) => title)
}

interface Told {
  finish(outcome: TurnOutcome): Promise<object>
  /** The public text of a failure. */
  explain(error: unknown): string
}

/** Events of a reply, whose sources stand beside it and not in its text. */
export async function* presentReply(
  events: AsyncIterable<ChatEvent>,
  messageId: string,
  { finish, explain }: Told,
): AsyncGenerator<LiveEvent> {
  let lines = createSourceLines([])
  for await (const event of events) {
    if (event.type === 'meta') {
      lines = createSourceLines(event.sources)
      yield { event: 'start', data: { message_id: messageId } }
    } else if (event.type === 'token') yield* presentWords(lines.push(event.content))
    else {
      yield* presentWords(lines.end())
      yield event.type === 'done'
        ? { event: 'done', data: await finish(event.outcome) }
        : { event: 'error', data: { message: explain(event.error) } }
    }
  }
}

function* presentWords(content: string): Generator<LiveEvent> {
  if (content !== '') yield { event: 'token', data: { content } }
}

/** Facts that a browser needs to show the widget. */
export function presentPublic(
  { settings }: { settings: WidgetSettings },
  about: { hours: { isOpen: boolean; opensAt: Date | null } | null; isSomebodyThere: boolean; maxFileMb: number },
) {
  const { title, greeting, starters, notice, colour, position, languages } = settings
  return {
    title,
    greeting,
    starters,
    notice,
    colour,
    position,
    languages,
    shows_sources: settings.showsSources,
    allows_attachments: settings.allowsAttachments,
    max_file_mb: about.maxFileMb,
    offers_person: settings.offersPerson,
    asks_for_rating: settings.asksForRating,
    requires_identity: settings.requiresIdentity,
    open_now: about.hours?.isOpen ?? null,
    next_open: about.hours?.opensAt?.toISOString() ?? null,
    somebody_there: about.isSomebodyThere,
  }
}

/** For those who run it. Secrets are not shown. */
export function presentWidget(widget: Widget) {
  const { widgetId, name, publicKey, previousKey, previousKeyUntil, allowedOrigins, createdAt, updatedAt } = widget
  const { requiresIdentity, showsSources, allowsAttachments, offersPerson, asksForRating, ...plain } = widget.settings
  return {
    widget_id: widgetId,
    name,
    key: publicKey,
    previous_key: previousKey,
    previous_key_until: previousKeyUntil?.toISOString() ?? null,
    allowed_origins: allowedOrigins,
    settings: {
      ...plain,
      shows_sources: showsSources,
      allows_attachments: allowsAttachments,
      offers_person: offersPerson,
      asks_for_rating: asksForRating,
      requires_identity: requiresIdentity,
    },
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    revoked_at: widget.revokedAt?.toISOString() ?? null,
  }
}
