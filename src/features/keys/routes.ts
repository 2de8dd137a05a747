import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { toSnakeCase } from '../../kernel/snake-case.ts'
import { KeysBody } from './schemas.ts'
import type { Keys } from './service.ts'

const tags = ['keys']

export function keyRoutes(app: App, { keys }: { keys: Keys }): void {
  app.get(
    '/api/v1/keys',
    {
      schema: {
        summary: 'Keys by name, what each may do, and when it was last used',
        description:
          'API_KEY and those of API_KEYS_FILE, which `npm run key` adds, rotates and revokes; never a key or its hash.',
        tags,
        response: { 200: KeysBody, ...errors(401, 403, 503) },
      },
    },
    async () => ({ keys: toSnakeCase(await keys.list()) }),
  )
}
