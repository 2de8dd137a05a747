export type Language = 'zh' | 'en'

/** Content of an element: texts and nodes, never markup. */
export type Content = string | Node

const query = new URLSearchParams(location.search)

export const chosenCustomer = query.get('customer') ?? ''

/** The language that the address names, or the browser's. */
export const language: Language =
  query.get('lang') === 'zh' || (!query.has('lang') && /^zh/i.test(navigator.language)) ? 'zh' : 'en'

/** The same page with other parameters. */
export function go(change: Record<string, string>): void {
  for (const [name, value] of Object.entries({ lang: language, ...change })) query.set(name, value)
  location.search = query.toString()
}

export function setLanguage(of: Language): void {
  document.documentElement.lang = of === 'zh' ? 'zh-CN' : 'en'
}

export function byId(id: string): HTMLElement {
  const element = document.getElementById(id)
  if (!element) throw new Error(id)
  return element
}

export function make<K extends keyof HTMLElementTagNameMap>(name: K, ...content: Content[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(name)
  element.append(...content)
  return element
}

export function link(to: string, text: string): HTMLAnchorElement {
  const element = make('a', text)
  element.href = to
  return element
}

/** Replaces what is in a list. */
export function fill(id: string, items: readonly (readonly Content[])[]): void {
  byId(id).replaceChildren(...items.map((content) => make('li', ...content)))
}

/** @throws Error that names the address where it has no JSON */
export async function read<T>(address: string): Promise<T> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`${address}: ${response.status}`)
  return (await response.json()) as T
}
