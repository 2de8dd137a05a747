/**
 * What every channel's message becomes. `text` is what the customer said, where anything can be read: for `voice` the
 * platform's own recognition, for `event` its name and key. Media that nobody can read (pictures, videos, files) is `image`
 * without text, so that the service can ask for words.
 */
export type NeutralMessage = { type: 'text' | 'image' | 'voice' | 'event'; text?: string }

/** A neutral message without the `text` field when there is nothing to read. */
export function neutralMessage(type: NeutralMessage['type'], text: string): NeutralMessage {
  const trimmed = text.trim()
  return trimmed === '' ? { type } : { type, text: trimmed }
}
