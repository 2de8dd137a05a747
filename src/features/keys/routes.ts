import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { KeysBody } from './schemas.ts'
import type { Keys, KeyView } from './service.ts'

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
    async () => ({ keys: (await keys.list()).map(present) }),
  )
}

function present({ keyId, name, scopes, createdAt, expiresAt, lastUsedAt }: KeyView) {
  return {
    key_id: keyId,
    name,
    scopes: [...scopes],
    created_at: createdAt?.toISOString() ?? null,
    expires_at: expiresAt?.toISOString() ?? null,
    last_used_at: lastUsedAt?.toISOString() ?? null,
  }
}
