import { splitTextByBytes } from '../split-text.ts'

/** DingTalk refuses bodies over 20,000 bytes (460101); the rest is room for JSON escapes and the fields around the text. */
export const DINGTALK_TEXT_BYTES = 8000

/** The length of a title that the conversation list shows without cutting it. */
const TITLE_LENGTH = 40

/** The two bodies that a session webhook is sent. Source: https://open.dingtalk.com/document/orgapp/robot-message-types */
export type DingtalkReply =
  | { msgtype: 'text'; text: { content: string }; at: { atUserIds: string[]; isAtAll: false } }
  | { msgtype: 'markdown'; markdown: { title: string; text: string } }

/** Plain text; `atUserIds` are staff ids to notify in a group. */
export function textReply(content: string, atUserIds: readonly string[] = []): DingtalkReply {
  return { msgtype: 'text', text: { content }, at: { atUserIds: [...atUserIds], isAtAll: false } }
}

/** Markdown; the title shows in the conversation list only and defaults to the first words. */
export function markdownReply(text: string, title = firstWords(text)): DingtalkReply {
  return { msgtype: 'markdown', markdown: { title, text } }
}

/** Text replies that each fit into one message; the people named are notified by the first. */
export function textReplies(content: string, atUserIds: readonly string[] = []): DingtalkReply[] {
  return splitTextByBytes(content, DINGTALK_TEXT_BYTES)
    .filter((part) => part.trim() !== '')
    .map((part, index) => textReply(part, index === 0 ? atUserIds : []))
}

/** DingTalk refuses an empty title, so text without any words gets a dot. */
function firstWords(markdown: string): string {
  const line = markdown.split('\n').find((candidate) => /[\p{L}\p{N}]/u.test(candidate)) ?? ''
  return [...line.replace(/[#*`>_[\]]/g, '').trim()].slice(0, TITLE_LENGTH).join('') || '·'
}
