import { createHash } from 'node:crypto'
import { loadHtml } from '../knowledge/index.ts'

/** Facts of a page that a walk over a site needs. */
export interface ReadPage {
  /** Addresses that it leads to and lets us follow, each once. */
  links: string[]
  /** The address that it wants to be known by; null: it names none. */
  canonical: string | null
  /** It does not want to be found. */
  isHidden: boolean
  textHash: string
}

const MAX_LINKS = 500
const TRACKING = /^(?:utm_\w+|fbclid|gclid|mc_[ce]id)$/i

/** The same page by its one address: no fragment, no marks of campaigns. Null for what is no page of the web. */
export function pageAddress(href: string, base?: string): string | null {
  if (!URL.canParse(href, base)) return null
  const url = new URL(href, base)
  if ((url.protocol !== 'https:' && url.protocol !== 'http:') || url.username !== '' || url.password !== '') return null
  url.hash = ''
  for (const name of [...url.searchParams.keys()]) if (TRACKING.test(name)) url.searchParams.delete(name)
  return url.href
}

export function readPage(html: string, address: string): ReadPage {
  const $ = loadHtml(html)
  const base = pageAddress($('base[href]').first().attr('href') ?? '', address) ?? address
  const directives = ($('meta[name="robots"]').attr('content') ?? '').toLowerCase().split(/[\s,]+/)
  const isNone = directives.includes('none')
  const links = isNone || directives.includes('nofollow') ? [] : linksOf($, base)
  const named = $('link[rel="canonical"]').attr('href')
  const canonical = named === undefined ? null : pageAddress(named, base)
  const title = $('title').first().text()
  $('script,style,noscript,template,meta,link,input').remove()
  const text = `${title}\n${$.root().text()}`.replace(/\s+/g, ' ')
  const textHash = createHash('sha256').update(text).digest('hex')
  return { links, canonical, isHidden: isNone || directives.includes('noindex'), textHash }
}

function linksOf($: ReturnType<typeof loadHtml>, base: string): string[] {
  const links = new Set<string>()
  for (const element of $('a[href]').toArray()) {
    const { href = '', rel = '' } = element.attribs
    const link = rel.split(/\s+/).includes('nofollow') ? null : pageAddress(href, base)
    if (link && links.size < MAX_LINKS) links.add(link)
  }
  return [...links]
}

/** The addresses of a sitemap, and whether these are of further sitemaps. Not parsed as XML: half of them are none. */
export function sitemapAddresses(xml: string): { addresses: string[]; isIndex: boolean } {
  const addresses: string[] = []
  for (let at = xml.indexOf('<loc>'); at >= 0; at = xml.indexOf('<loc>', at + 5)) {
    const end = xml.indexOf('</loc>', at)
    if (end < 0) break
    const text = xml
      .slice(at + 5, end)
      .replace('<![CDATA[', '')
      .replace(']]>', '')
    const address = pageAddress(text.replaceAll('&amp;', '&').trim())
    if (address) addresses.push(address)
  }
  return { addresses, isIndex: xml.includes('<sitemapindex') }
}
