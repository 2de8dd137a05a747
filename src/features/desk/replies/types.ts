export const REPLY_LANGUAGES = ['zh', 'en'] as const
export type ReplyLanguage = (typeof REPLY_LANGUAGES)[number]

/** A reply as people write it, with variables where customers differ. */
export interface ReplyWords {
  title: string
  content: string
  /** Null: none. */
  shortcut: string | null
  /** Null: it fits any. */
  language: ReplyLanguage | null
}

export interface SavedReply extends ReplyWords {
  replyId: string
  author: string
  uses: number
  lastUsedAt: Date | null
  createdAt: Date
  updatedAt: Date
  /** `createdAt` to the microsecond, for the next page. */
  createdKey: string
}
