import { Type } from 'typebox'
import { choice, Timestamp } from '../../http/schemas.ts'
import { UserId } from '../sessions/index.ts'
import { MEDIA_TYPES } from './media-type.ts'

/** Read by the handler: the file comes as it is. */
export const AttachmentForm = Type.Object({
  file: Type.Unsafe<unknown>({
    type: 'string',
    format: 'binary',
    description: 'An image (PNG, JPEG, GIF, WebP), a PDF or plain text',
  }),
  user_id: Type.Optional(UserId),
})

export const AgentAttachmentForm = Type.Object({ file: AttachmentForm.properties.file })

export const AttachmentBody = Type.Object({
  attachment_id: Type.String({ examples: ['file_4f1c2a9be07d'] }),
  message_id: Type.String({ description: 'The message that it is' }),
  file_name: Type.String({ examples: ['receipt.pdf'] }),
  media_type: choice(MEDIA_TYPES, { description: 'By its content' }),
  size: Type.Integer({ description: 'Bytes' }),
  created_at: Timestamp,
  url: Type.String({
    description: 'Opens the file without a key, for an hour; relative to this service',
    examples: ['/api/v1/attachments/file_4f1c2a9be07d?token=1769851800000.Zm9v'],
  }),
  url_expires_at: Timestamp,
})

export const AttachmentList = Type.Object({ attachments: Type.Array(AttachmentBody) })
export const CustomerQuery = Type.Object({ user_id: Type.Optional(UserId) })
export const FileParams = Type.Object({ attachment_id: Type.String({ minLength: 1, maxLength: 100 }) })
export const FileQuery = Type.Object({ token: Type.String({ maxLength: 200, description: 'As `url` has it' }) })
