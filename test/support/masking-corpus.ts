import { identityCheck, passesLuhn } from '../../src/privacy/checks.ts'
import { foldText } from '../../src/privacy/fold.ts'

/** One generated text. `secret` is the personal value in it; absent where nothing is to be masked. */
export interface Sample {
  readonly kind: string
  readonly text: string
  readonly secret?: string
}

/** A small seeded generator (mulberry32), so that a failure can be repeated. Values are in 0..1. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

type Random = () => number

function pick<T>(random: Random, values: readonly T[]): T {
  const value = values[Math.floor(random() * values.length)]
  if (value === undefined) throw new Error('nothing to pick from')
  return value
}

function digits(random: Random, count: number): string {
  return Array.from({ length: count }, () => Math.floor(random() * 10)).join('')
}

function between(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1))
}

function pad(value: number, length = 2): string {
  return String(value).padStart(length, '0')
}

const letters = 'abcdefghijklmnopqrstuvwxyz'

function word(random: Random, least: number, most: number): string {
  return Array.from({ length: between(random, least, most) }, () => pick(random, [...letters])).join('')
}

function fullWidth(text: string): string {
  return text.replace(/[!-~]/g, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0))
}

function grouped(text: string, sizes: readonly number[], separator: string): string {
  const ends = sizes.map((_, index) => sizes.slice(0, index + 1).reduce((sum, size) => sum + size, 0))
  const parts = [...ends, text.length].map((end, index) => text.slice(ends[index - 1] ?? 0, end))
  return parts.filter((part) => part !== '').join(separator)
}

function mobile(random: Random): string {
  return `1${between(random, 3, 9)}${digits(random, 9)}`
}

function mobileWritten(random: Random): string {
  const number = mobile(random)
  const separator = pick(random, [' ', '-', '\u00A0', '\u2013', '\u200B', '\u3000'])
  const spaced = grouped(number, [3, 4], separator)
  return pick(random, [
    number,
    number,
    spaced,
    grouped(number, [3, 3], separator),
    grouped(number, [7], ' '),
    fullWidth(number),
    `+86${number}`,
    `+86 ${spaced}`,
    `+86-${number}`,
    `(+86)${number}`,
    `（＋８６）${fullWidth(number)}`,
    `86-${spaced}`,
    `0086${number}`,
    [...number].join(' '),
    [...number].map((digit) => '零一二三四五六七八九'[Number(digit)]).join(''),
  ])
}

const areaCodes = ['010', '020', '021', '022', '023', '024', '025', '027', '028', '029', '0755', '0571', '0512', '0898']

function landline(random: Random): string {
  const code = pick(random, areaCodes)
  const local = `${between(random, 2, 8)}${digits(random, 7)}`
  return pick(random, [
    `${code}-${local}`,
    `(${code})${local}`,
    `（${code}）${local}`,
    `${code} ${local}`,
    `${code}${local}`,
    `+86 ${code.slice(1)} ${grouped(local, [4], ' ')}`,
    `${code}-${local}-${digits(random, 3)}`,
  ])
}

function international(random: Random): string {
  const american = `${between(random, 2, 9)}${digits(random, 2)}${between(random, 2, 9)}${digits(random, 6)}`
  const area = american.slice(0, 3).replace(/^(?:400|8..)$/, '212')
  const rest = [american.slice(3, 6), american.slice(6)] as const
  return pick(random, [
    `+1 ${area} ${rest.join(' ')}`,
    `+1-${area}-${rest.join('-')}`,
    `+1${area}${rest.join('')}`,
    `(${area}) ${rest.join('-')}`,
    `${area}-${rest.join('-')}`,
    `${area}.${rest.join('.')}`,
    `+44 20 7${digits(random, 3)} ${digits(random, 4)}`,
    `+447${digits(random, 9)}`,
    `020 7${digits(random, 3)} ${digits(random, 4)}`,
    `+852 ${between(random, 5, 9)}${digits(random, 3)} ${digits(random, 4)}`,
    `+81 90-${digits(random, 4)}-${digits(random, 4)}`,
    `+49 30 ${digits(random, 8)}`,
    `+33 6 ${grouped(digits(random, 8), [2, 2, 2], ' ')}`,
    `06 ${grouped(digits(random, 8), [2, 2, 2], ' ')}`,
    `+65${between(random, 8, 9)}${digits(random, 7)}`,
    `+91 ${digits(random, 5)} ${digits(random, 5)}`,
    `+971 50 ${digits(random, 3)} ${digits(random, 4)}`,
  ])
}

function email(random: Random): string {
  const local = pick(random, [
    word(random, 1, 10),
    `${word(random, 2, 8)}.${word(random, 2, 8)}${digits(random, 3)}`,
    `${word(random, 2, 8)}+${word(random, 2, 5)}`,
    `${word(random, 2, 5)}_${digits(random, 4)}`,
    mobile(random),
    `${digits(random, 9)}`,
  ])
  const domain = pick(random, [
    'qq.com',
    '163.com',
    'example.com',
    'mail.example.co.uk',
    'sub-domain.example.org',
    'x.io',
  ])
  const address = `${local}@${domain}`
  return pick(random, [address, address, address, address.toUpperCase(), fullWidth(address)])
}

function identity(random: Random): string {
  const region = `${pick(random, ['11', '31', '44', '51', '65', '33', '81'])}${pad(between(random, 1, 30))}${pad(between(random, 1, 40))}`
  const birth = `${pad(between(random, 1, 12))}${pad(between(random, 1, 28))}`
  if (random() < 0.2) return `${region}${between(random, 30, 99)}${birth}${digits(random, 3)}`
  const body = `${region}${between(random, 1930, 2015)}${birth}${digits(random, 3)}`
  const number = body + identityCheck(body)
  const shape = pick(random, [' ', '-'])
  return pick(random, [number, number, number.toLowerCase(), fullWidth(number), grouped(number, [6, 8], shape)])
}

const issuers: ReadonlyArray<readonly [prefix: string, length: number]> = [
  ['4', 16],
  ['51', 16],
  ['2221', 16],
  ['34', 15],
  ['6011', 16],
  ['3528', 16],
  ['36', 14],
  ['622202', 19],
  ['621700', 19],
  ['625965', 16],
  ['955880', 19],
]

function card(random: Random): string {
  const [prefix, length] = pick(random, issuers)
  const body = prefix + digits(random, length - prefix.length - 1)
  const number = body + [...'0123456789'].find((check) => passesLuhn(body + check))
  const separator = pick(random, [' ', '-', '\u00A0'])
  const sizes = length === 15 ? [4, 6] : length === 14 ? [4, 6] : [4, 4, 4, 4]
  return pick(random, [number, number, grouped(number, sizes, separator), fullWidth(number)])
}

const personalFrames = [
  (value: string) => value,
  (value: string) => `我的联系信息是${value}谢谢`,
  (value: string) => `麻烦改成${value}，尽快处理`,
  (value: string) => `Please use ${value}, thanks`,
  (value: string) => `{"value":"${value}"}`,
  (value: string) => `他${value}她`,
  (value: string) => `first line\n${value}\nlast line`,
]

const personalKinds: ReadonlyArray<readonly [kind: string, generate: (random: Random) => string]> = [
  ['mobile phone', mobileWritten],
  ['landline', landline],
  ['international phone', international],
  ['e-mail', email],
  ['identity number', identity],
  ['card number', card],
]

function dateOf(random: Random): string {
  return `${between(random, 2015, 2026)}${pad(between(random, 1, 12))}${pad(between(random, 1, 28))}`
}

function orderNumber(random: Random): string {
  return pick(random, [
    `#W${digits(random, 7)}`,
    `ORD-${dateOf(random)}-${digits(random, 6)}`,
    `${dateOf(random)}${digits(random, 6)}`,
    `${dateOf(random)}${digits(random, 10)}`,
    `${between(random, 1, 9)}${digits(random, 17)}`,
    `${between(random, 1, 9)}${digits(random, 11)}`,
    `${between(random, 100, 199)}-${digits(random, 7)}-${digits(random, 7)}`,
    `${pick(random, ['SO', 'PO', 'INV', 'E'])}${digits(random, 10)}`,
    digits(random, 9),
  ])
}

function trackingNumber(random: Random): string {
  return pick(random, [
    digits(random, 12),
    `SF${digits(random, 13)}`,
    `YT${digits(random, 13)}`,
    `JDVA${digits(random, 11)}`,
    `7${digits(random, 13)}`,
    `1Z${word(random, 3, 3).toUpperCase()}${digits(random, 13)}`,
    `R${word(random, 1, 1).toUpperCase()}${digits(random, 9)}CN`,
    `9400${digits(random, 18)}`,
    `${digits(random, 4)} ${digits(random, 4)} ${digits(random, 4)}`,
  ])
}

function amount(random: Random): string {
  const value = (random() * 10 ** between(random, 1, 7)).toFixed(2)
  return pick(random, [
    value,
    `¥${value}`,
    `$${Number(value).toLocaleString('en-US')}`,
    `${value}元`,
    `USD ${value}`,
    `-${value}`,
  ])
}

function dateWritten(random: Random): string {
  const date = dateOf(random)
  const [year, month, day] = [date.slice(0, 4), date.slice(4, 6), date.slice(6)]
  const time = `${pad(between(random, 0, 23))}:${pad(between(random, 0, 59))}:${pad(between(random, 0, 59))}`
  return pick(random, [
    `${year}-${month}-${day}`,
    `${year}-${month}-${day}T${time}.${digits(random, 6)}Z`,
    `${day}-${month}-${year} ${time}`,
    `${year}年${month}月${day}日${time}`,
    `${year}/${month}/${day}`,
    `${year}.${month}.${day} - ${year}.${month}.${day}`,
    String(between(random, 1_300_000_000, 1_800_000_000)),
    String(between(random, 1_300_000_000_000, 1_800_000_000_000)),
  ])
}

function version(random: Random): string {
  const part = () => between(random, 0, 40)
  return pick(random, [
    `v${part()}.${part()}.${part()}`,
    `${part()}.${part()}.${digits(random, 5)}.${digits(random, 4)}`,
    `${part()}.${part()}.${part()}-rc.${part()}`,
    `${part()}.${part()}`,
    `10.${part()}.${part()}.${between(random, 1, 254)}`,
  ])
}

function sku(random: Random): string {
  return pick(random, [
    `${word(random, 2, 4).toUpperCase()}-${digits(random, 5)}-${pick(random, ['S', 'M', 'XL'])}`,
    `SKU${digits(random, 8)}`,
    digits(random, 10),
    `69${digits(random, 11)}`,
    `${digits(random, 4)}-${digits(random, 3)}-${digits(random, 2)}`,
    `B0${word(random, 4, 4).toUpperCase()}${digits(random, 4)}`,
  ])
}

const harmlessFrames = [
  (value: string) => value,
  (value: string) => `麻烦看一下${value}谢谢`,
  (value: string) => `Please look at ${value}, thanks`,
  (value: string) => `{"value":"${value}"}`,
]

const harmlessKinds: ReadonlyArray<readonly [kind: string, generate: (random: Random) => string]> = [
  ['order number', orderNumber],
  ['tracking number', trackingNumber],
  ['amount', amount],
  ['date or time', dateWritten],
  ['version', version],
  ['SKU', sku],
]

/** `count` texts with one valid personal value each, in usual and unusual writings, the kinds in turn. */
export function personalSamples(count: number, random: Random): Sample[] {
  return Array.from({ length: count }, (_, index) => {
    const [kind, generate] = personalKinds[index % personalKinds.length] ?? personalKinds[0]!
    const secret = generate(random)
    return { kind, secret, text: pick(random, personalFrames)(secret) }
  })
}

/** `count` texts in which nothing is personal, no word announcing what the number is, the kinds in turn. */
export function harmlessSamples(count: number, random: Random): Sample[] {
  return Array.from({ length: count }, (_, index) => {
    const [kind, generate] = harmlessKinds[index % harmlessKinds.length] ?? harmlessKinds[0]!
    return { kind, text: pick(random, harmlessFrames)(generate(random)) }
  })
}

function plain(text: string): string {
  return foldText(text)
    .toLowerCase()
    .replace(/[\s\u200B().-]/g, '')
}

/** True when `masked` shows neither the whole secret nor, of a number, six of its digits in a row. */
export function isHidden(secret: string, masked: string): boolean {
  const [value, shown] = [plain(secret), plain(masked)]
  if (shown.includes(value)) return false
  const number = value.replace(/\D/g, '')
  const windows = value.includes('@')
    ? []
    : Array.from({ length: Math.max(0, number.length - 5) }, (_, at) => number.slice(at, at + 6))
  return windows.every((window) => !shown.includes(window))
}
