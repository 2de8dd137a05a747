import { type Static, Type } from 'typebox'
import { canDo } from '../../http/auth.ts'
import { errors, nullable } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import type { Scope } from '../../kernel/scopes.ts'

const Count = (description: string) =>
  nullable(Type.Integer({ description: `${description}; null: the caller may not see them` }))

const TodoBody = Type.Object({
  conversations: Count('Customers who wait for a person'),
  solutions: Count('Solutions that wait for review'),
  gaps: Count('Questions that nobody could answer, of which nobody has drafted an answer'),
  alerts: Count('Alerts that nobody looks after, 200 at most'),
})

type Name = keyof Static<typeof TodoBody>

/** How each number is found. */
export type Todo = Record<Name, () => Promise<number>>

/** A screen's question, and with it the number beside its name. */
const SCOPES: Readonly<Record<Name, Scope>> = {
  conversations: 'agent',
  solutions: 'knowledge',
  gaps: 'agent',
  alerts: 'read',
}

export function todoRoutes(app: App, todo: Todo): void {
  app.get(
    '/api/v1/console/todo',
    {
      schema: {
        summary: 'How much waits for somebody, by kind',
        tags: ['console'],
        response: { 200: TodoBody, ...errors(401, 403, 503) },
      },
    },
    async (request) => {
      const read = (name: Name) => (canDo(request, SCOPES[name]) ? todo[name]() : null)
      const [conversations, solutions, gaps, alerts] = await Promise.all([
        read('conversations'),
        read('solutions'),
        read('gaps'),
        read('alerts'),
      ])
      return { conversations, solutions, gaps, alerts }
    },
  )
}
