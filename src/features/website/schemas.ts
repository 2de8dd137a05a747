import { Type } from 'typebox'
import { Timestamp } from '../../http/schemas.ts'

const Address = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 2_000, description, examples: [example] })

export const WebsiteBody = Type.Object({
  url: Address('Where to begin; only its host is read', 'https://shop.example/help/'),
  sitemap: Type.Optional(
    Address(
      'The pages that it names are read, in place of those that links lead to',
      'https://shop.example/sitemap.xml',
    ),
  ),
  limit: Type.Integer({
    minimum: 1,
    maximum: 2_000,
    default: 200,
    description: 'Pages that are asked for at the most',
  }),
  path_prefix: Type.Optional(
    Type.String({ maxLength: 1_000, pattern: '^/', description: 'Only pages below it', examples: ['/help/'] }),
  ),
})

export const ReportParams = Type.Object({
  report_id: Type.String({ minLength: 1, maxLength: 200, examples: ['import_4f1c2a9be07d'] }),
})

export const ReportBody = Type.Object({
  report_id: Type.String({ examples: ['import_4f1c2a9be07d'] }),
  url: Type.String({ examples: ['https://shop.example/help/'] }),
  created_at: Timestamp,
  imported: Type.Integer({ description: 'New, or saying something else than before' }),
  unchanged: Type.Integer(),
  skipped: Type.Integer({ description: 'No page, another address of one, or hidden from searches' }),
  failed: Type.Integer(),
  gone: Type.Integer({ description: 'Not there; documents that they became stay' }),
  left: Type.Integer({ description: 'Found and not asked for, for the limit' }),
  failures: Type.Array(
    Type.Object({
      url: Type.String({ examples: ['https://shop.example/help/old'] }),
      reason: Type.String({ examples: ['the server answered 500'] }),
    }),
    { description: 'The first hundred' },
  ),
})
