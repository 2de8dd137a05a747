import { foldText } from './fold.ts'
import type { MaskKind } from './kinds.ts'

function keepEnds(value: string, head: number, mostTail: number): string {
  const tail = Math.max(0, mostTail)
  const hidden = value.length - head - tail
  if (hidden < 1) return '*'.repeat(Math.max(value.length, 3))
  return value.slice(0, head) + '*'.repeat(hidden) + value.slice(value.length - tail)
}

function maskPhone(value: string): string {
  const digits = foldText(value).replace(/\D/g, '')
  if (digits.length < 7) return '***'
  const country = /^86(?=1[3-9]\d{9}$)/.test(digits) ? 2 : 0
  const national = digits.slice(country)
  const head = national.length >= 9 ? 3 : 2
  const tail = Math.min(4, national.length - head - 4)
  const masked = `${national.slice(0, head)}****${tail > 0 ? national.slice(-tail) : ''}`
  return `${/^\s*\(?[+＋]/.test(value) ? '+' : ''}${country ? '86 ' : ''}${masked}`
}

function maskEmail(value: string): string {
  const at = value.search(/[@＠]/)
  if (at < 1) return '***'
  const first = String.fromCodePoint(value.codePointAt(0) ?? 42)
  return `${first}***@${value.slice(at + 1).trim()}`
}

function maskName(value: string): string {
  if (/\p{Script=Han}/u.test(value)) {
    const [first = '', ...rest] = [...value.trim()]
    return first + '*'.repeat(Math.max(rest.length, 1))
  }
  const words = value.split(/\s+/).filter((word) => word !== '')
  return words.map(([first = '', ...rest]) => first + '*'.repeat(Math.max(rest.length, 1))).join(' ')
}

function maskAddress(value: string): string {
  const city = /^[\u4E00-\u9FFF]{2,8}?(?:省|自治区|市)/.exec(value)?.[0]
  if (city !== undefined && city.length < value.length) return `${city}****`
  const [first = ''] = [...value]
  return value.length > 2 ? `${first}****` : '****'
}

function maskCode(value: string): string {
  const plain = foldText(value).replace(/[^A-Za-z0-9]/g, '')
  return plain.length > 11 ? keepEnds(plain, 4, 4) : keepEnds(plain, 0, Math.min(4, plain.length - 4))
}

function maskPayment(value: string): string {
  const prefix = /^[A-Za-z]+(?:_[A-Za-z]+){0,2}_(?=[^_]+$)/.exec(value)?.[0] ?? ''
  const id = value.slice(prefix.length)
  return `${prefix}****${id.length > 6 ? id.slice(-3) : ''}`
}

function maskIdentity(value: string): string {
  const plain = foldText(value).replace(/[^A-Za-z0-9]/g, '')
  return plain.length >= 15 ? keepEnds(plain, 3, 4) : keepEnds(plain, 1, Math.min(2, plain.length - 4))
}

const masks: Record<MaskKind, (value: string) => string> = {
  name: maskName,
  phone: maskPhone,
  email: maskEmail,
  address: maskAddress,
  identity: maskIdentity,
  card: maskCode,
  payment: maskPayment,
  // Not even its length.
  secret: () => '***',
}

/**
 * Hides a personal value of a known kind but keeps the ends that help a person to recognise it:
 * `138****8000`, `l***@example.com`, `张*`, `J*** D**`, `6222********0123`. Empty text stays empty.
 */
export function maskValue(value: string, kind: MaskKind): string {
  return value.trim() === '' ? value : masks[kind](value)
}
