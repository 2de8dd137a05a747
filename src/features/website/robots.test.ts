import { expect, it } from 'vitest'
import { parseRobots } from './robots.ts'

const TEXT = `# Ours
User-agent: *
Disallow: /private
Allow: /private/open
Disallow: /*.pdf$
Disallow: /search?q=*&page
Crawl-delay: 2

User-agent: Frontdesk
User-agent: Other
Disallow: /only-for-others
Disallow:
Sitemap: https://shop.example/sitemap.xml
`

it('goes by the group for all where none names us', () => {
  const { allows, crawlDelay, sitemaps } = parseRobots(TEXT, 'somebody')
  expect(['/', '/private', '/private/x', '/private/open/x', '/a.pdf', '/a.pdf?x'].map(allows)).toEqual([
    ...[true, false, false, true, false, true],
  ])
  expect(allows('/search?q=abc&page=2')).toBe(false)
  expect([crawlDelay, sitemaps]).toEqual([2, ['https://shop.example/sitemap.xml']])
})

it('goes by our own group alone where there is one', () => {
  const { allows, crawlDelay } = parseRobots(TEXT, 'frontdesk')
  expect(['/private', '/only-for-others/x'].map(allows)).toEqual([true, false])
  expect(crawlDelay).toBe(0)
})

it('takes nothing for a rule that is none, and no time for a hostile one', () => {
  expect(parseRobots('<html>404</html>', 'frontdesk').allows('/')).toBe(true)
  const startedAt = performance.now()
  const { allows } = parseRobots(`User-agent: *\nDisallow: /${'*a'.repeat(5_000)}$`, 'frontdesk')
  expect(allows(`/${'a'.repeat(4_000)}`)).toBe(true)
  expect(performance.now() - startedAt).toBeLessThan(500)
})

it('lets an anchored pattern end where it must', () => {
  const { allows } = parseRobots('User-agent: *\nDisallow: /a*b$', 'x')
  expect(['/ab', '/axb', '/axbc', '/abb'].map(allows)).toEqual([false, false, true, false])
})
