type Child = Node | string | null | undefined | false
type Properties = Record<string, string | boolean | ((event: Event) => void) | undefined>

/** An element: `on…` are listeners, booleans are there or not, all else are attributes. Text is only ever text. */
export function h<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Properties = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(properties)) {
    if (typeof value === 'function') element.addEventListener(key.slice(2), value)
    else if (value === true) element.setAttribute(key, '')
    else if (typeof value === 'string') element.setAttribute(key, value)
  }
  for (const child of children) if (child || child === '') element.append(child)
  return element
}

const SVG = 'http://www.w3.org/2000/svg'

export function icon(path: string): SVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('aria-hidden', 'true')
  const line = document.createElementNS(SVG, 'path')
  line.setAttribute('d', path)
  svg.append(line)
  return svg
}
