import { toSnakeCase } from '../../kernel/snake-case.ts'
import type { Attachments } from './service.ts'
import type { Attachment } from './types.ts'

export function presenter(attachments: Pick<Attachments, 'link'>) {
  return ({ sessionId: _, ...attachment }: Attachment) => {
    const { token, expiresAt } = attachments.link(attachment.attachmentId)
    const url = `/api/v1/attachments/${attachment.attachmentId}?token=${token}`
    return { ...toSnakeCase(attachment), url, url_expires_at: expiresAt.toISOString() }
  }
}
