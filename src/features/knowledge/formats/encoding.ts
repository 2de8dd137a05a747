import { createRequire } from 'node:module'

/** Bytes that chardet sees: its models settle well before this, and it costs time per byte. */
const SAMPLE_BYTES = 32 * 1024
const META_SCAN_BYTES = 4096

/** The most frequent characters of written Chinese, simplified and traditional: real text has many, a wrong decoding few. */
const FREQUENT_HANZI = new Set(
  '的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经十三之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本去把性好应开它合还因由其些然前外天政四日那社义事平形相全表间样与关各重新线内数正心反你明看原又么利比或但质气第向道命此变条只没结解问意建月公无系军很情者最立代想已通并提直题程展五果料象员革位入常文总次品式活设及管特件长求老头基资边流路级少图山统接知较将组见计别她手角期根论运农指几九区强放决西被干做必战先回则任取据处队南给色光门即保治北造百规热领七海口东导器压志世金增争济阶油思术极交受联什认六共权收证改清己美再采转更单风切打白教速花带安场身车例真务具万每目至达走积示议声报斗完类八离华名确才科张信马节话米整空元况今集温传土许步群广石记需段研界拉林律叫且究观越织装影算低持音众书布复容儿须际商非验连断深难近矿千周委素技备半办青省列习响约支般史感劳便团往酸历市克何除消构府称太准精值号率族维划选标写存候毛亲快效斯院查江型眼王按格养易置派层片始却专状育厂京识适属圆包火住调满县局照参红细引听该铁价严們這個來國說為會時後過學發對開關問題請電話訂單貨運費帳號貴客',
)

const FREQUENT_HANGUL = new Set(
  '이다는을의에가하고지도를로은한해아어서니기나있사리시자라인그대것일요습게수만들과으면보부정제상주전구여안문원장오거동우야까내경선생공무때적조분세성치신관히방비미저모소스위없연간와던군후년중두터입러실민유학남말지체품배송환불',
)

/** The same labels that browsers map, in the order of preference when two decodings look equally likely. */
const EAST_ASIAN = ['gb18030', 'big5', 'shift_jis', 'euc-jp', 'euc-kr'] as const

/**
 * Decodes text of unknown encoding: byte order mark, strict UTF-8, UTF-16 by its zero bytes, a declared charset
 * (HTML meta, XML prolog), then the likeliest legacy encoding. Never throws; the mark itself is dropped.
 */
export function decodeText(bytes: Uint8Array): { text: string; encoding: string } {
  const encoding = markedEncoding(bytes) ?? utf16Guess(bytes)
  if (encoding) return { text: new TextDecoder(encoding).decode(bytes), encoding }
  const utf8 = tryDecode(bytes, 'utf-8')
  if (utf8 !== null) return { text: utf8, encoding: 'utf-8' }
  const declared = declaredEncoding(bytes)
  const legacy = declared !== null && declared !== 'utf-8' ? declared : likeliestEncoding(bytes)
  return { text: new TextDecoder(legacy).decode(bytes), encoding: legacy }
}

function markedEncoding(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return null
}

/** UTF-16 without a mark: spaces, digits and line ends leave zeros on one side only. */
function utf16Guess(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, 4096)
  let even = 0
  let odd = 0
  for (let i = 0; i + 1 < sample.length; i += 2) {
    if (sample[i] === 0) even++
    if (sample[i + 1] === 0) odd++
  }
  const pairs = Math.max(1, sample.length >> 1)
  const guess = odd / pairs > 0.02 && even === 0 ? 'utf-16le' : even / pairs > 0.02 && odd === 0 ? 'utf-16be' : null
  return guess !== null && tryDecode(bytes, guess) !== null ? guess : null
}

function declaredEncoding(bytes: Uint8Array): string | null {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, META_SCAN_BYTES))
  const found = /(?:<meta[^>]{0,200}charset\s*=|<\?xml[^>]{0,100}encoding\s*=)\s*["']?([\w:.-]{2,40})/i.exec(head)
  if (!found?.[1]) return null
  try {
    return new TextDecoder(found[1]).encoding
  } catch {
    return null
  }
}

function likeliestEncoding(bytes: Uint8Array): string {
  const sample = nonAsciiSample(bytes)
  let best = { encoding: 'windows-1252', score: 0.35 }
  for (const encoding of EAST_ASIAN) {
    const score = eastAsianScore(new TextDecoder(encoding).decode(sample))
    if (score > best.score + 0.02) best = { encoding, score }
  }
  return best.encoding === 'windows-1252' ? byStatistics(sample) : best.encoding
}

const require = createRequire(import.meta.url)
/** Only what is no UTF-8 needs it. */
const chardet = (): typeof import('chardet') => require('chardet')

/** chardet knows the single-byte encodings apart by letter pairs; its multi-byte guesses were tried above. */
function byStatistics(sample: Uint8Array): string {
  for (const match of chardet().analyse(sample)) {
    try {
      const { encoding } = new TextDecoder(match.name)
      if (/^(windows|iso-8859|koi8|ibm866|macintosh)/.test(encoding)) return encoding
    } catch {
      // A name that browsers do not know, such as UTF-32LE.
    }
  }
  return 'windows-1252'
}

/** Lines that hold bytes beyond ASCII, so that a long English preamble does not hide the rest. */
function nonAsciiSample(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte >= 0x80)
  const lineStart = bytes.lastIndexOf(0x0a, first) + 1
  const start = first - lineStart > 1024 ? first : lineStart
  return bytes.subarray(start, start + SAMPLE_BYTES)
}

/** Share of the non-ASCII characters that real East Asian text would have, in 0..1; errors count heavily against it. */
function eastAsianScore(text: string): number {
  let total = 0
  let points = 0
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0
    if (code < 0x80) continue
    total++
    points += likelihood(char, code)
  }
  return total === 0 ? 0 : points / total
}

const CJK_PUNCTUATION = '，。、；：？！（）「」『』“”‘’《》—…【】'

function likelihood(char: string, code: number): number {
  if (code === 0xfffd || within(code, 0xe000, 0xf8ff)) return -3
  if (FREQUENT_HANZI.has(char) || within(code, 0x3041, 0x30fc)) return 1
  if (CJK_PUNCTUATION.includes(char)) return 0.9
  if (FREQUENT_HANGUL.has(char)) return 1
  if (within(code, 0xac00, 0xd7a3)) return 0.4
  if (within(code, 0x4e00, 0x9fff)) return 0.45
  return within(code, 0xff61, 0xff9f) ? -0.5 : 0
}

function within(code: number, first: number, last: number): boolean {
  return code >= first && code <= last
}

function tryDecode(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
