import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { open } from '../../http/auth.ts'
import { readId } from '../../http/ids.ts'
import { acceptUploads, checkedByHandler, readForm } from '../../http/multipart.ts'
import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { AppError } from '../../kernel/errors.ts'
import { SessionParams } from '../sessions/index.ts'
import { presenter } from './present.ts'
import {
  AgentAttachmentForm,
  AttachmentBody,
  AttachmentForm,
  AttachmentList,
  CustomerQuery,
  FileParams,
  FileQuery,
} from './schemas.ts'
import type { Attachments, SentFile } from './service.ts'

const consumes = ['multipart/form-data']
const CUSTOMER = '/api/v1/chat/sessions/:session_id/attachments'
const AGENT = '/api/v1/agent/sessions/:session_id/attachments'

export async function attachmentRoutes(
  app: App,
  { attachments, maxUploadMb }: { attachments: Attachments; maxUploadMb: number },
): Promise<void> {
  await acceptUploads(app, maxUploadMb)
  customerRoutes(app, attachments)
  agentRoutes(app, attachments)
  fileRoute(app, attachments)
}

function customerRoutes(app: App, attachments: Attachments): void {
  const present = presenter(attachments)
  app.post(
    CUSTOMER,
    {
      schema: {
        summary: 'Send a file as the customer',
        description:
          'It becomes a message. Images, PDFs and plain text, by their content; the assistant does not read them.',
        tags: ['chat'],
        consumes,
        params: SessionParams,
        body: AttachmentForm,
        response: { 201: AttachmentBody, ...errors(401, 404, 409, 413, 415, 422) },
      },
      validatorCompiler: checkedByHandler,
    },
    async (request, reply) => {
      const { file, fields } = await readForm(request)
      const viewed = { sessionId: sessionOf(request), userId: readId('user_id', fields.user_id) }
      reply.code(201)
      return present(await attachments.sendAsCustomer(viewed, given(file)))
    },
  )

  app.get(
    CUSTOMER,
    {
      schema: {
        summary: 'Files of a conversation, with fresh links',
        tags: ['chat'],
        params: SessionParams,
        querystring: CustomerQuery,
        response: { 200: AttachmentList, ...errors(401, 404, 409, 422) },
      },
    },
    async ({ params, query }) => {
      const viewed = { sessionId: params.session_id.trim(), userId: readId('user_id', query.user_id) }
      return { attachments: (await attachments.listAsCustomer(viewed)).map(present) }
    },
  )
}

function agentRoutes(app: App, attachments: Attachments): void {
  const present = presenter(attachments)
  app.post(
    AGENT,
    {
      schema: {
        summary: 'Send a file to the customer',
        description: 'It becomes a message of whoever has the session, and only they send one.',
        tags: ['agent-assist'],
        consumes,
        params: SessionParams,
        body: AgentAttachmentForm,
        response: { 201: AttachmentBody, ...errors(401, 404, 409, 413, 415, 422) },
      },
      validatorCompiler: checkedByHandler,
    },
    async (request, reply) => {
      const { file } = await readForm(request)
      const { person } = request.caller
      const actor = person && { name: person.name, isAdmin: person.role === 'admin' }
      reply.code(201)
      return present(await attachments.sendAsAgent({ sessionId: sessionOf(request), actor }, given(file)))
    },
  )

  app.get(
    AGENT,
    {
      schema: {
        summary: 'Files of a conversation, with fresh links',
        tags: ['agent-assist'],
        params: SessionParams,
        response: { 200: AttachmentList, ...errors(401, 422) },
      },
    },
    async ({ params }) => ({ attachments: (await attachments.list(params.session_id.trim())).map(present) }),
  )
}

/** Opened by browsers, which send no key: the link itself says that it may be. */
function fileRoute(app: App, attachments: Attachments): void {
  app.get(
    '/api/v1/attachments/:attachment_id',
    {
      config: { ...open, isPublic: true },
      schema: {
        summary: 'A file, by its signed link',
        description: 'Images are shown, everything else is saved. A link that is wrong or has expired is 404.',
        tags: ['chat'],
        produces: ['application/octet-stream'],
        params: FileParams,
        querystring: FileQuery,
        response: {
          200: Type.Unsafe<unknown>({ type: 'string', format: 'binary', description: 'The file', examples: ['text'] }),
          ...errors(404, 422),
        },
      },
    },
    async ({ params, query }, reply) => {
      const { bytes, mediaType, fileName } = await attachments.open(params.attachment_id, query.token)
      const way = mediaType.startsWith('image/') ? 'inline' : 'attachment'
      reply
        .header('content-disposition', `${way}; filename*=UTF-8''${encodeURIComponent(fileName)}`)
        .header('content-security-policy', "default-src 'none'; sandbox")
        // Pages of the shop show it, and no cookie goes with it.
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('cache-control', 'private, max-age=3600')
      return (reply as FastifyReply).type(mediaType).send(bytes)
    },
  )
}

function sessionOf({ params }: Pick<FastifyRequest, 'params'>): string {
  return (params as { session_id: string }).session_id.trim()
}

function given(file: SentFile | undefined): SentFile {
  if (!file) throw new AppError('invalid', 'validation', 'file: is required')
  return file
}
