export interface Attachment {
  attachmentId: string
  sessionId: string
  messageId: string
  fileName: string
  mediaType: string
  /** Bytes. */
  size: number
  createdAt: Date
}
