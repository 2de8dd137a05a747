import { isIban } from './checks.ts'
import { cueBefore } from './context.ts'
import { type Finding, type Form, findForms } from './kinds.ts'

/** A value that its own form gives away. */
const shaped: readonly Form[] = [
  // A JSON Web Token.
  { kind: 'secret', pattern: /(?<![\w-])(eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?)/g },
  // Keys whose issuers give them a prefix.
  {
    kind: 'secret',
    pattern:
      /(?<![A-Za-z0-9])((?:sk-[\w-]{16,}|(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9]{16,}|(?:AKIA|ASIA|LTAI|AKID)[A-Za-z0-9]{12,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|xox[a-z]-[\w-]{10,}|AIza[\w-]{30,}|glpat-[\w-]{16,}|npm_[A-Za-z0-9]{20,}|hf_[A-Za-z0-9]{20,}|SG\.[\w-]{16,}|ya29\.[\w-]{20,}))/g,
    accepts: (value) => /\d/.test(value),
  },
  { kind: 'secret', pattern: /\b(?:bearer|basic) {1,3}([\w.~+/=-]{16,})/gi, accepts: looksRandom },
  { kind: 'secret', pattern: /:\/\/[^\s:@/]{0,64}:([^\s@/]{1,128})@/g },
  {
    kind: 'secret',
    pattern:
      /[?&](?:api_?key|access_token|auth_token|token|secret|sig|signature|password|passwd|pwd)=([^&\s#"'<>]{4,})/gi,
  },
  {
    kind: 'card',
    pattern: /(?<![A-Za-z0-9])([A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?)(?![A-Za-z0-9])/g,
    accepts: isIban,
  },
  // A social security number of the United States.
  {
    kind: 'identity',
    pattern: /(?<![\w-])((?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4})(?![\w-])/g,
    accepts: (_, text, start) => cueBefore(text, start) !== 'opaque',
  },
]

const quote = '["\'` ]{0,3}'
const unit =
  '(?! ?(?:位|个|字符|次|分钟|秒|小时|天|元|年|月|条|-?digits?|characters?|chars|letters|minutes?|mins?|hours?|days?|times))'

/** A value that the words before it announce. */
const labelled: readonly Form[] = [
  {
    kind: 'secret',
    pattern: new RegExp(
      `(?:验证码|校验码|动态码|短信码|授权码|激活码)${quote}(?:是|为)?[:=]?${quote}([A-Za-z0-9]{4,8})(?![A-Za-z0-9])${unit}`,
      'g',
    ),
    accepts: (value) => /\d/.test(value),
  },
  {
    kind: 'secret',
    pattern: new RegExp(
      `\\b(?:(?:verification|security|one[- ]time|login|log-in|sign-?in|access|auth|authentication|authorization|sms|2fa|mfa) (?:code|passcode|pin|password)|otp|passcode|(?:your|my) code|the code(?= ?(?:is|was|[:=])))${quote}(?:is|was|[:=#])?${quote}((?:[A-Z]-)?\\d{4,8})(?![\\w-])${unit}`,
      'gi',
    ),
  },
  {
    kind: 'secret',
    pattern: /(?<![\w-])((?:[A-Z]-)?\d{4,8}) is your (?:[\w'-]{1,20} ){0,4}(?:code|otp|passcode|pin)\b/g,
  },
  {
    kind: 'secret',
    pattern: new RegExp(
      `(?:\\b(?:cvv2?|cvc2?|cvn2?)|安全码|卡背面?后?三位数?|\\b(?:card )?(?:verification value|security code))(?: ?(?:code|number|no|码|号))?${quote}(?:is|was|[:=#]|是|为)?${quote}(\\d{3,4})(?!\\d)${unit}`,
      'gi',
    ),
  },
  {
    kind: 'secret',
    pattern: new RegExp(
      `(?:api[_ -]?key|access[_ -]?key(?:[_ -]?(?:id|secret))?|secret[_ -]?key|client[_ -]?secret|app[_ -]?secret|private[_ -]?key|token|secret|密钥|秘钥|私钥|令牌)${quote}(?:is|[:=]|是|为)${quote}([\\w+/.=~-]{8,})`,
      'gi',
    ),
    accepts: looksRandom,
  },
  {
    kind: 'identity',
    pattern: new RegExp(
      `(?:\\bssn|social security)(?: (?:number|no))?${quote}(?:is|was|[:=#]|是|为)?${quote}(\\d{3}[- ]?\\d{2}[- ]?\\d{4})(?!\\d)`,
      'gi',
    ),
  },
  {
    kind: 'card',
    pattern: new RegExp(
      `(?:\\bbank (?:account|acct)(?: (?:number|no))?|\\bsort code|银行[账帐][号户])${quote}(?:is|was|[:=#]|是|为)?${quote}(\\d(?:[ -]?\\d){5,29})(?!\\d)`,
      'gi',
    ),
  },
]

/** Secrets, card codes, one-time codes, social security and bank account numbers in a folded text. Linear in its length. */
export function findSecrets(text: string): Finding[] {
  return [...findForms(text, [...shaped, ...labelled]), ...findPasswords(text), ...findKeyBlocks(text)]
}

/** Words with dashes in between are a name; what is random has a digit, or is longer than names are. */
function looksRandom(value: string): boolean {
  return /\d/.test(value) || /^[A-Za-z+/=]{20,}$/.test(value)
}

const passwordLabel =
  /(默认|出厂|default |factory )?(?:密码|口令|passwords?|passwd|passphrase|pwd|\bpin(?: code| number|码)?)["'` ]{0,2}((?:是|为)?[:=]|是|为| is | was )["'` ]{0,3}/gi
/** ASCII without quotes, blanks and angle brackets; a comma only within. */
const passwordValue = /(?:[!#-&(-+\--;=?-_a-~]|,(?=[!-~])){4,}/y
const trailing = new Set('.,;:!?)]}')
const word = /^[A-Za-z][A-Za-z'-]*$/
const inflected = /(?:ed|ing|ly|able|ible)$/i
/** Words that are said of a password rather than being one. */
const saidOfIt = new Set(
  `must should shall will would cannot have here this that your the their what which when where same also very only still case
  wrong right correct incorrect invalid valid weak strong safe secure unsafe empty blank missing required optional mandatory
  none null true false unknown lost stolen gone reset forgotten known public private secret hidden sent given being gets
  good okay fine different identical case-sensitive too-short too-long not-working`.split(/\s+/),
)

function findPasswords(text: string): Finding[] {
  return [...text.matchAll(passwordLabel)].flatMap((match): Finding[] => {
    const start = match.index + match[0].length
    passwordValue.lastIndex = start
    const run = passwordValue.exec(text)?.[0] ?? ''
    let length = run.length
    while (length > 0 && trailing.has(run[length - 1] ?? '')) length--
    const value = run.slice(0, length)
    const isPublic = match[1] !== undefined
    return !isPublic && isPassword(value, text.slice(start + length, start + length + 16))
      ? [{ start, end: start + length, kind: 'secret' }]
      : []
  })
}

/** @param after what follows it */
function isPassword(value: string, after: string): boolean {
  if (value.length < 4 || /^https?:/i.test(value)) return false
  // `6-20 characters`, `8位以上`
  if (/^[\d.~-]{1,9}$/.test(value) && unitAfter.test(after)) return false
  if (!word.test(value)) return true
  return !saidOfIt.has(value.toLowerCase()) && !inflected.test(value) && !/^ [A-Za-z]/.test(after)
}
const unitAfter = /^ ?(?:位|个|字符|字|次|到|至|characters?|chars|letters|digits?|or|to|times|minutes?|hours?|days?)/i

const blockStart = /-----BEGIN [A-Z0-9 ]{0,40}KEY[A-Z ]{0,20}-----/g
const blockEnd = /-----END [A-Z0-9 ]{0,40}KEY[A-Z ]{0,20}-----/
const blockBody = /[A-Za-z0-9+/=\s\\:,-]*/y

/** PEM blocks of keys, also of which the end was cut off. */
function findKeyBlocks(text: string): Finding[] {
  const findings: Finding[] = []
  for (const match of text.matchAll(blockStart)) {
    if (match.index < (findings.at(-1)?.end ?? 0)) continue
    blockBody.lastIndex = match.index + match[0].length
    const run = blockBody.exec(text)?.[0] ?? ''
    const close = blockEnd.exec(run)
    const body = close ? run.slice(0, close.index + close[0].length) : run
    findings.push({ start: match.index, end: match.index + match[0].length + body.length, kind: 'secret' })
  }
  return findings
}
