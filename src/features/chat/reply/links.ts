import type { Span } from '../../../language/spans.ts'

/** Where a text names an address of the internet, with or without a scheme. */
export interface FoundLink extends Span {
  /** As programs read it that turn text into links. */
  address: string
}

/** Endings under which anybody gets a name: these are addresses however they are written. */
const COMMON =
  'com|net|org|info|biz|edu|gov|cn|hk|tw|jp|kr|uk|de|fr|eu|ru|us|io|co|cc|me|tv|ai|to|ly|gg|ws|tk|ml|ga|cf|gq|xyz|top|' +
  'vip|club|site|online|shop|store|app|dev|link|click|live|icu|pro|work|cloud|tech|website|example|test|onion'
const IN_HAN =
  '中国|中國|公司|网络|網絡|网址|商城|网店|在线|中文网|集团|手机|香港|台湾|台灣|我爱你|商店|商标|娱乐|游戏|信息|网站|移动|购物|企业'

/** Endings of files that are also under what names are given; a name of two parts with one of them is a file. */
const FILES = new Set(
  `js ts jsx tsx mjs cjs py rs pl ps sh md txt rtf html htm xml json jsonl yaml yml toml csv tsv xls xlsx doc docx ppt
  pptx pdf epub png jpg jpeg gif svg webp bmp ico mp3 mp4 avi mov wav flac zip rar tar gz tgz iso exe msi dmg apk ipa deb
  rpm bat cmd ini cfg conf log sql db bak tmp dll lib so jar war php asp aspx jsp css scss vue env key pem crt`.split(
    /\s+/,
  ),
)

const PORT_AND_PATH = String.raw`(?::\d{1,5})?(?:[/?#][^\s，。；、！？）)\]>"'”’]*)?`
const DOT = String.raw`\\?[.．]`
/** A search begins once in a name and not at each of its parts. */
const NAMED = new RegExp(
  `(?<![a-z0-9_-]|[a-z0-9_-]${DOT})((?:[a-z0-9_-]+${DOT})+(?:xn--[a-z0-9-]+|[a-z]{2,24}))(?![a-z0-9_-])(${PORT_AND_PATH})`,
  'gi',
)
/** Names in other scripts; and with the full stop of Chinese, which browsers take for a point. */
const FOREIGN = new RegExp(
  String.raw`[\p{L}\p{N}](?:${DOT}(?:${IN_HAN})|(?<=[^\0-\x7f])${DOT}(?:${COMMON})(?![a-z0-9_-])|(?<=[a-z0-9])[。｡](?:${COMMON})(?![a-z0-9_-]))${PORT_AND_PATH}`,
  'giu',
)
const IS_COMMON = new RegExp(`^(?:${COMMON}|xn--.*)$`, 'i')

/** A text without the addresses that it names. */
export function withoutLinks(text: string): string {
  const words = text.split(/(\s)/).map((word) => (hidesLink(word) ? ' ' : word))
  return replaceLinks(words.join(''), 0, () => ' ')
}

/** An address that is hidden from readers and not from browsers: `evil%2Eexample`. */
export function hidesLink(word: string): boolean {
  if (!word.includes('%')) return false
  const read = word.replace(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return read !== word && findLinks(read).length > 0
}

/** Writes something else in the place of addresses, of each only what stands behind `from`. */
export function replaceLinks(text: string, from: number, replace: (address: string) => string | null): string {
  let done = from
  let replaced = ''
  for (const { start, end, address } of findLinks(text)) {
    if (end <= done) continue
    const other = replace(address)
    if (other === null) continue
    replaced += text.slice(done, Math.max(start, done)) + other
    done = end
  }
  return replaced + text.slice(done)
}

/** Not taken for addresses: files, decimal and version numbers, abbreviations, sentences without a blank between them. */
export function findLinks(text: string): FoundLink[] {
  const named = [...text.matchAll(NAMED)].filter(([, host = '', rest = '']) => isAddress(partsOf(host), rest))
  return [...named, ...text.matchAll(FOREIGN)]
    .map(({ 0: found, index }) => toLink(found, index))
    .sort((a, b) => a.start - b.start)
}

function toLink(found: string, start: number): FoundLink {
  const written = found.replace(/(?<![.,:;!?~-])[.,:;!?~-]+$/, '')
  return { start, end: start + written.length, address: written.replace(/\\?[.．。｡]/g, '.') }
}

function partsOf(host: string): string[] {
  return host.split(/\\?[.．]/)
}

function isAddress(parts: readonly string[], rest: string): boolean {
  const ending = parts.at(-1) ?? ''
  const names = parts.slice(0, -1)
  if (!names.some((name) => /[a-z]/i.test(name))) return false
  if (rest !== '') return true
  if (names.length === 1 && (FILES.has(ending.toLowerCase()) || parts.join('.') === 'ASP.NET')) return false
  if (IS_COMMON.test(ending)) return true
  // "It lasts 2 days.It is free", "e.g.lamps"
  return !/^[A-Z][a-z]+$/.test(ending) && names.some((name) => name.length > 1)
}
