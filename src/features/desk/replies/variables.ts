/** Values that differ from customer to customer, by the name that stands in `{{…}}`. */
export const VARIABLES = [
  'customer.name',
  'customer.id',
  'agent.name',
  'session.id',
  'order.id',
  'order.status',
  'order.tracking_id',
] as const
export type Variable = (typeof VARIABLES)[number]

const PLACE = /(?<!\{)\{\{\s*([^{}]*?)\s*\}\}(?!\})/g

/** The first thing that is wrong with the places of a text; null: nothing is. */
export function faultOf(text: string): string | null {
  const unknown = [...text.matchAll(PLACE)].find(([, name = '']) => !isVariable(name))
  if (unknown) return `${unknown[0]} is no variable: use one of ${VARIABLES.join(', ')}`
  return /\{\{|\}\}/.test(text.replace(PLACE, '')) ? 'a variable is written as {{customer.name}}' : null
}

/** Variables that a text uses, each once in their order. */
export function variablesOf(text: string): Variable[] {
  return [...new Set([...text.matchAll(PLACE)].map(([, name = '']) => name))].filter(isVariable)
}

/** The text with values in its places; those that have none are left out and named, and no braces stay. */
export function fill(text: string, values: Partial<Record<Variable, string>>): { text: string; missing: Variable[] } {
  const missing = variablesOf(text).filter((name) => !values[name])
  const filled = text.replace(PLACE, (_, name: string) => (isVariable(name) && values[name]) || '')
  return { text: filled, missing }
}

function isVariable(name: string): name is Variable {
  return (VARIABLES as readonly string[]).includes(name)
}
