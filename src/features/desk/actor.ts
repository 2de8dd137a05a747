import type { Person } from '../../kernel/people.ts'
import type { Actor } from '../handoff/index.ts'

/** Who acts, for rules that bind people; null: a program with the key, which is bound by none of them. */
export function actorOf({ person }: { person: Person | null }): Actor | null {
  return person && { name: person.name, isAdmin: person.role === 'admin' }
}
