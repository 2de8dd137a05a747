import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

/** The class that each selector of a sheet begins with. */
function classesOf(path: string): Set<string> {
  const selectors = readFileSync(join(import.meta.dirname, path), 'utf8')
    .replace(/\/\*.*?\*\//gs, '')
    .matchAll(/([^{};]+)\{/g)
    .flatMap(([, list = '']) => list.split(','))
  return new Set(selectors.map((selector) => /^\.([\w-]+)/.exec(selector.trim())?.[1] ?? '').filter(Boolean))
}

// Sheets stay once a screen was opened: a class of two screens changes the look of one as soon as the other was seen.
it('no two screens give a look to the same class', () => {
  const sheets = globSync('**/*.css', { cwd: import.meta.dirname })
  const shared = new Set(sheets.filter((path) => !path.startsWith('screens/')).flatMap((path) => [...classesOf(path)]))
  const owners = new Map<string, Set<string>>()
  for (const path of sheets.filter((each) => each.startsWith('screens/'))) {
    const screen = path.split('/')[1] ?? path
    for (const name of classesOf(path)) owners.set(name, (owners.get(name) ?? new Set()).add(screen))
  }
  expect(owners.size).toBeGreaterThan(20)
  const twice = [...owners].filter(([name, screens]) => screens.size > 1 && !shared.has(name))
  expect(twice.map(([name]) => name)).toEqual([])
})
