import { Type } from 'typebox'
import { noteChange } from '../../http/changes.ts'
import { ID_PATTERN, readId } from '../../http/ids.ts'
import { choice, errors, Timestamp } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { AppError } from '../../kernel/errors.ts'
import { toSnakeCase } from '../../kernel/snake-case.ts'
import type { ChannelName } from '../sessions/index.ts'
import { CHANNELS } from '../sessions/index.ts'
import type { Link } from './link-queries.ts'
import type { Links } from './links.ts'

const LINKS = '/api/v1/business/links'
const tags = ['business']

/** Some platforms' ids are longer than those of customers. */
const ChannelUserId = Type.String({ minLength: 1, maxLength: 300, pattern: ID_PATTERN })

const LinkResult = Type.Object({
  channel: choice(CHANNELS),
  channel_user_id: Type.String(),
  user_id: Type.String(),
  created_at: Timestamp,
})
const LinksQuery = Type.Object({
  user_id: Type.Optional(Type.String({ maxLength: 200, pattern: ID_PATTERN, description: 'Only those of a customer' })),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  offset: Type.Integer({ minimum: 0, maximum: 2_147_483_647, default: 0 }),
})
const LinkList = Type.Object({
  items: Type.Array(LinkResult),
  total: Type.Integer(),
  limit: Type.Integer(),
  offset: Type.Integer(),
})

/** Which customers of WeChat and DingTalk are which customers of the shop. Who changed what stands in the log. */
export function linkRoutes(app: App, { links, platforms }: { links: Links; platforms: readonly ChannelName[] }): void {
  const { LinkBody, LinkParams } = schemasOf(platforms)
  app.put(
    LINKS,
    {
      schema: {
        summary: 'Say which customer of the shop a customer of WeChat or DingTalk is',
        description: 'From their next message on they see their own orders. Another link of theirs is replaced.',
        tags,
        body: LinkBody,
        response: { 200: LinkResult, ...errors(401, 422) },
      },
    },
    async ({ body, caller, log }) => {
      const link = await links.save(toLink(body))
      log.info({ by: caller.name, link }, 'A customer of a channel was linked')
      return toSnakeCase(link)
    },
  )

  app.get(
    LINKS,
    {
      schema: {
        summary: 'Customers of WeChat and DingTalk who are linked, the newest first',
        tags,
        querystring: LinksQuery,
        response: { 200: LinkList, ...errors(401, 422) },
      },
    },
    async ({ query: { user_id, limit, offset } }) => {
      const found = await links.list({ userId: readId('user_id', user_id), limit, offset })
      return { items: toSnakeCase(found.links), total: found.total, limit, offset }
    },
  )

  app.delete(
    `${LINKS}/:channel/:channel_user_id`,
    {
      schema: {
        summary: 'Take a link back',
        description: 'From their next message on they are nobody that the shop knows.',
        tags,
        params: LinkParams,
        response: { 200: LinkResult, ...errors(401, 404, 422) },
      },
    },
    async (request) => {
      const { params, caller, log } = request
      const channelUserId = readId('channel_user_id', params.channel_user_id)
      const link = await links.remove(params.channel, channelUserId)
      log.info({ by: caller.name, link }, 'A link of a customer of a channel was taken back')
      noteChange(request, { before: toSnakeCase(link) })
      return toSnakeCase(link)
    },
  )
}

function schemasOf(platforms: readonly ChannelName[]) {
  const channel = Type.Enum([...platforms])
  const LinkBody = Type.Object(
    {
      channel,
      channel_user_id: Type.String({
        ...ChannelUserId,
        description:
          'As the platform names them: an openid, a staff id. What sessions show (`wechat:…`) is taken as well',
      }),
      user_id: Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: ID_PATTERN,
        description: 'As the shop names them',
      }),
    },
    { examples: [{ channel: 'wechat', channel_user_id: 'oX4hZ6y0', user_id: 'customer-1' }] },
  )
  return { LinkBody, LinkParams: Type.Object({ channel, channel_user_id: ChannelUserId }) }
}

function toLink(body: { channel: ChannelName; channel_user_id: string; user_id: string }): Omit<Link, 'createdAt'> {
  const userId = readId('user_id', body.user_id)
  if (userId === '') throw new AppError('invalid', 'validation', 'user_id: must not be blank')
  const channelUserId = readId('channel_user_id', body.channel_user_id)
  return { channel: body.channel, channelUserId, userId }
}
