/** Luhn's check (ISO/IEC 7812-1, annex B) over a string of digits. */
export function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let index = digits.length - 1, double = false; index >= 0; index--, double = !double) {
    const value = (digits.charCodeAt(index) - 48) * (double ? 2 : 1)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

// Issuer ranges by length: a Luhn check alone passes every tenth order number.
const cardRanges: ReadonlyArray<{ prefix: RegExp; lengths: readonly number[] }> = [
  { prefix: /^4/, lengths: [13, 16, 19] },
  { prefix: /^5[1-5]/, lengths: [16] },
  { prefix: /^2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720|20[0-4])/, lengths: [16] },
  { prefix: /^3[47]/, lengths: [15] },
  { prefix: /^3(?:0[0-5]|[689])/, lengths: [14] },
  { prefix: /^35(?:2[89]|[3-8])/, lengths: [16, 17, 18, 19] },
  { prefix: /^6[0245]/, lengths: [16, 17, 18, 19] },
  { prefix: /^(?:5[0678]|6[37])/, lengths: [13, 16, 18, 19] },
  { prefix: /^(?:8[12]|9558|9400)/, lengths: [16, 19] },
]

/** A payment card number: Luhn's check and a known issuer range of its length. `digits` are digits only. */
export function isCardNumber(digits: string): boolean {
  const known = cardRanges.some(({ prefix, lengths }) => lengths.includes(digits.length) && prefix.test(digits))
  return known && passesLuhn(digits)
}

/** An international bank account number (ISO 13616) by its check digits; blanks may stand in between. */
export function isIban(written: string): boolean {
  const number = written.replaceAll(' ', '')
  if (number.length < 15 || number.length > 34) return false
  let remainder = 0
  for (const character of number.slice(4) + number.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97
  }
  return remainder === 1
}

const region = /^(?:1[1-5]|2[1-3]|3[1-7]|4[1-6]|5[0-4]|6[1-5]|71|8[1-3]|91)(?:0[1-9]|[1-7]\d|90)(?!00)/
const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]

function isBirthDate(yyyymmdd: string): boolean {
  const [year, month, day] = [yyyymmdd.slice(0, 4), yyyymmdd.slice(4, 6), yyyymmdd.slice(6)].map(Number)
  if (!year || !month || !day || year < 1800 || year > 2099 || month > 12) return false
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/**
 * A resident identity number of mainland China (GB 11643-1999). 18 characters: birth date and the ISO 7064 MOD 11-2
 * check character; regions are not looked up, for old ones leave the tables. 15 digits (first generation) have no
 * check character, so the region must be plausible too.
 */
export function isIdentityNumber(number: string): boolean {
  if (/^\d{15}$/.test(number)) return region.test(number) && isBirthDate(`19${number.slice(6, 12)}`)
  if (!/^[1-9]\d{16}[\dXx]$/.test(number) || !isBirthDate(number.slice(6, 14))) return false
  return identityCheck(number) === number[17]?.toUpperCase()
}

/** The check character for the first 17 digits of an identity number. */
export function identityCheck(digits: string): string {
  const sum = weights.reduce((total, weight, index) => total + weight * Number(digits[index]), 0)
  return '10X98765432'[sum % 11] ?? ''
}

const mobile = /^1[3-9]\d{9}$/

/** A mobile number of mainland China, digits only, without its country code. */
export function isMainlandMobile(digits: string): boolean {
  return mobile.test(digits)
}

const areaCode =
  /^0(?:10|2[0-57-9]|3(?:1\d|35|49|[57]\d|9[1-8])|4(?:1\d|2[179]|[35]\d|6[4789]|7\d|8[23])|5(?:[1-3]\d|4[36]|5\d|6[1-6]|7\d|80|9\d)|6(?:3[1-5]|6[0238]|9[12])|7(?:01|1\d|2[248]|3\d|4[3-6]|[5-7]\d|9\d)|8(?:1[23678]|2[5-7]|[357]\d|8[1-8]|9\d)|9(?:[013]\d|4[13]|5[1-5]|[79]\d))/

/** A mainland landline written without separators: an area code in use, then 7 or 8 digits that start with 2 to 8. */
export function isBareLandline(digits: string): boolean {
  const code = areaCode.exec(digits)?.[0]
  if (code === undefined) return false
  const local = digits.slice(code.length)
  const lengths = code.length === 3 ? [8] : [7, 8]
  return lengths.includes(local.length) && /^[2-8]/.test(local)
}

const nationalLengths: ReadonlyArray<{ code: RegExp; lengths: readonly number[] }> = [
  { code: /^1/, lengths: [11] },
  { code: /^861[3-9]/, lengths: [13] },
  { code: /^86/, lengths: [12, 13, 14] },
  { code: /^(?:852|853|65)/, lengths: [10, 11] },
  { code: /^(?:44|91|886)/, lengths: [12] },
  { code: /^(?:33|61|7)/, lengths: [11] },
  { code: /^(?:81|82)/, lengths: [11, 12] },
]
const countryCode =
  /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|2[1-69]\d|3[578]\d|42\d|5[09]\d|6[7-9]\d|8[0578]\d|9[679]\d)/

/** The lengths (country code included) that end a number at once; longer plans are read to their last group. */
export function exactInternationalLengths(digits: string): readonly number[] {
  return nationalLengths.find(({ code }) => code.test(digits))?.lengths ?? []
}

/** ITU-T E.164: a country code that is in use and 7 to 15 digits in all. `digits` follow the plus sign. */
export function isInternationalNumber(digits: string): boolean {
  if (digits.length < 7 || digits.length > 15 || !countryCode.test(digits)) return false
  return !digits.startsWith('1') || digits.length === 11
}
