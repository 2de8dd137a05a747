/** Words of a person on a conversation, for colleagues alone. */
export interface Note {
  noteId: string
  sessionId: string
  /** Empty: a program with the key did not say who. */
  author: string
  content: string
  /** Names of the people of whom it speaks. */
  mentions: string[]
  createdAt: Date
  updatedAt: Date
  /** `createdAt` to the microsecond, for the next page. */
  createdKey: string
}

/** The last note of the page before. */
export interface NoteCursor {
  createdAt: string
  noteId: string
}
