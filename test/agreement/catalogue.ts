import { readFileSync } from 'node:fs'

const ORDERS = new URL('../../sample/orders.jsonl', import.meta.url)

/** Every product that somebody bought in the sample shop, by the language of its name. */
const catalogue = Map.groupBy(namesIn(readFileSync(ORDERS, 'utf8')), (name) =>
  /\p{Script=Han}/u.test(name) ? 'zh' : 'en',
)

export function catalogueFor(language: string): readonly string[] {
  return catalogue.get(language === 'en' ? 'en' : 'zh') ?? []
}

function namesIn(lines: string): Set<string> {
  const orders = lines.trim().split('\n')
  return new Set(
    orders.flatMap((line) => (JSON.parse(line) as { items: { name: string }[] }).items.map(({ name }) => name)),
  )
}
