import type { Source, StoredMessage } from './types.ts'

/** A message as every reader is shown it. Readers differ in what they are shown of its sources and its text. */
export function presentMessage<Shown>(
  { messageId, role, content, createdAt, intent, sources, details }: StoredMessage,
  presentSource: (source: Source) => Shown,
  maskText: (text: string) => string = (text) => text,
) {
  return {
    message_id: messageId,
    role,
    content: maskText(content),
    timestamp: createdAt.toISOString(),
    ...(intent !== null && { intent }),
    ...(sources !== null && { sources: sources.map(presentSource) }),
    ...(details.interrupted && { interrupted: true }),
    ...(details.traceId !== undefined && { trace_id: details.traceId }),
  }
}
