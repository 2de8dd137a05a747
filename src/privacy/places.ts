import type { Finding } from './kinds.ts'

const chineseNumber = /\d{1,5} ?(?:号|栋|幢|弄|单元|室)/g
const strongSuffix = /(?:路|街|大道|巷|胡同|弄|街道)(?:[东西南北中]段?)? ?$/
const weakSuffix = /[道村镇乡园苑里区厦场寓组屯庄楼栋座] ?$/
const notPlace = /(?:知道|频道|渠道|通道|公里|这里|那里|哪里|家里|店里|手里|市场|现场|线路|网路|一路|半路) ?$/
const region = /省|自治区|市|区|县|镇|乡|州|旗/
const addressCue = /(?:地址|住址|收货|寄到|寄往|送到|送至|发到|住在|位于|改成|改为|改到|换成|搬到)[是为在到:： ]{0,3}/g
const chineseRun = /[\u4E00-\u9FFFA-Za-z0-9 -]/
const rightPart =
  /^[ ,-]{0,2}(?:[A-Za-z\d]{1,5}[ -]?(?:号楼|号院|号|栋|幢|座|单元|楼|层|室|房|弄|门)|[\u4E00-\u9FFF]{2,10}(?:大厦|广场|小区|花园|公寓|苑|院|中心))/

function chineseStart(text: string, at: number): number {
  let start = at
  while (start > 0 && at - start < 40 && chineseRun.test(text[start - 1] ?? '')) start--
  const window = text.slice(start, at)
  const cue = [...window.matchAll(addressCue)].at(-1)
  if (cue) return start + cue.index + cue[0].length
  return start + (/^[A-Za-z0-9 -]*/.exec(window)?.[0].length ?? 0)
}

function isAnnounced(text: string, start: number): boolean {
  return /(?:地址|住址|寄到|送到|住在)[是为:： ]{0,3}$/.test(text.slice(Math.max(0, start - 8), start))
}

function chineseEnd(text: string, from: number): number {
  let end = from
  for (let part = 0; part < 5; part++) {
    const match = rightPart.exec(text.slice(end, end + 24))
    if (!match) break
    end += match[0].length
  }
  return end
}

function findChinese(text: string): Finding[] {
  const findings: Finding[] = []
  let covered = 0
  for (const match of text.matchAll(chineseNumber)) {
    if (match.index < covered) continue
    const nearby = text.slice(Math.max(covered, match.index - 8), match.index)
    const isStrong = strongSuffix.test(nearby)
    if ((!isStrong && !weakSuffix.test(nearby)) || notPlace.test(nearby)) continue
    const start = Math.max(covered, chineseStart(text, match.index))
    const end = chineseEnd(text, match.index + match[0].length)
    const hasMore = end > match.index + match[0].length || /弄|单元|室/.test(match[0])
    const isPlace = isStrong || hasMore || isAnnounced(text, start) || region.test(text.slice(start, match.index - 1))
    if (!isPlace) continue
    findings.push({ start, end, kind: 'address' })
    covered = end
  }
  return findings
}

// A house number, up to four words and a kind of street; every repetition is bounded, so the search stays linear.
const street =
  /(?<![\w.#-])\d{1,6}[A-Za-z]? (?:[NSEW]\.? )?(?:Broadway|(?:[A-Z][\w'.-]{0,20} ){1,4}(?:Street|St|Road|Rd|Avenue|Ave|Boulevard|Blvd|Drive|Dr|Lane|Ln|Court|Ct|Way|Place|Pl|Square|Sq|Terrace|Parkway|Pkwy|Highway|Hwy|Circle|Cir|Trail|Close|Crescent))\b\.?/g
const casualStreet =
  /(?<![\w.#-])\d{1,6} (?:(?!on|the|in|of|a|an|to|by|off|per|items?|orders?|days?|minutes?|hours?|miles?)[a-z]{2,16} ){1,2}(?:street|road|avenue|boulevard|lane)\b/gi
const unit = /^,? {0,2}(?:Suite|Ste|Apt|Apartment|Unit|Floor|Fl|Room|Rm|#)\.? {0,2}[\w-]{1,8}/i
const city = /^, {0,2}(?:[A-Z][A-Za-z.'-]{1,20} ?){1,3}/
const stateAndZip = /^,? {0,2}(?:[A-Z]{2}\b,? {0,2})?\d{5,6}(?:-\d{4})?\b/
const country = /^, {0,2}(?:USA|US|United States|UK|United Kingdom|Canada)\b/

function englishEnd(text: string, from: number): number {
  let end = from
  for (const part of [unit, city, stateAndZip, country]) end += part.exec(text.slice(end, end + 80))?.[0].length ?? 0
  return end
}

function findEnglish(text: string): Finding[] {
  const matches = [...text.matchAll(street), ...text.matchAll(casualStreet)]
  return matches.map((match) => ({
    start: match.index,
    end: englishEnd(text, match.index + match[0].length),
    kind: 'address',
  }))
}

/** Street addresses in Chinese and English by their form. A heuristic: places without a street and number are missed. */
export function findPlaces(text: string): Finding[] {
  return [...findChinese(text), ...findEnglish(text)]
}
