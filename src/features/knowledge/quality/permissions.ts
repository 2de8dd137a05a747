import { normalise } from '../../../language/fold.ts'

/** Whether a clause allows something or forbids it. */
export type Permission = 'allowed' | 'forbidden'

const FORBIDDEN_ZH =
  '不(?:可以|能够?|可(?!避免|抗|靠|思议)|支持|允许|得(?!不|已)|接受|予|提供|享受?)|禁止|严禁|无法|恕不|谢绝|概不|没法'
const ALLOWED_ZH =
  '可以|能(?![力量源效耗否不])够?|(?<!技术|客户|售后|不|客服)支持(?!人员|团队|中心|时间)|允许|接受|可(?=申请|享|退|换|用|使用|办理|开具|选|在|随时|免费|凭|通过|叠加|合并|修改|取消|转|提现|兑换|重复)'
const PARTICIPLES =
  'allowed|permitted|accepted|supported|possible|eligible|refundable|returnable|exchangeable|transferable|available|cancell?able'
const FORBIDDEN_EN = `can ?not|can't|may not|must not|mustn't|(?:is|are|be|isn't|aren't)(?: no longer| never| not|(?<=n't)) (?:${PARTICIPLES})|not (?:${PARTICIPLES})|prohibited|forbidden|non-?(?:refundable|returnable|transferable)|(?:do|does)(?: not|n't) (?:accept|support|allow|offer|permit)|unable to|never (?:accept|allow)`
const ALLOWED_EN = `(?:can|may)(?! not|not|'t)|(?:is|are|be) (?:${PARTICIPLES})|(?:we|it|which|that) (?:accept|support|allow|permit)s?`

const EITHER = new RegExp(
  `(?<forbidden>${FORBIDDEN_ZH}|\\b(?:${FORBIDDEN_EN})\\b)|(?<allowed>${ALLOWED_ZH}|\\b(?:${ALLOWED_EN})\\b)`,
  'gi',
)

/** Questions and conditions allow nothing. */
const NO_STATEMENT = /[?？]\s*$|吗[。.]?$|是否|能否|可否|^(?:if|when|whether|unless|in case|如果|若|假如|倘若)/i

/** Whether a normalised clause allows or forbids something, and where it says so; undefined when it does neither, or says so more than once. */
export function findPermission(clause: string) {
  const [found, ...others] = clause.matchAll(EITHER)
  if (!found || others.length > 0 || NO_STATEMENT.test(clause)) return undefined
  const { forbidden } = found.groups ?? {}
  const permission: Permission = forbidden === undefined ? 'allowed' : 'forbidden'
  // Where the words that say so stand: they are taken out of what the clause is about.
  return { permission, start: found.index, end: found.index + found[0].length }
}

const YES = /^(?:可以|能(?!力|否)|支持|是的|行(?=[,。;!]|$)|yes\b|sure\b|of course\b|certainly\b)/i
const NO =
  /^(?:不可以|不能|不支持|不行|不会|抱歉|很抱歉|暂不|no\b(?! (?:problem|matter|need|worries))|not? at the moment\b|unfortunately\b|sorry\b)/i
const ASKS_FOR_PERMISSION =
  /(?:可以|能|可|支持|允许|接受).{0,60}(?:吗|么)|(?:能否|可否|是否(?:可以|支持|允许|能)|可不可以|能不能|支不支持)|^(?:can|may|do you (?:accept|support|allow|offer)|is it possible|am i allowed|are we allowed|could)\b/i

/** The permission that the beginning of an answer gives or denies to a question that asks for one. */
export function answerToPermission(question: string, answer: string): Permission | undefined {
  if (!ASKS_FOR_PERMISSION.test(question)) return undefined
  if (NO.test(answer)) return 'forbidden'
  return YES.test(answer) ? 'allowed' : undefined
}

const ALSO_YES = /^(?:有|会|是|对|当然|没问题|yep\b|yeah\b|absolutely\b|definitely\b)/i
const ALSO_NO = /^(?:没有|没|无|不|nope\b|never\b)/i
const READ_CHARACTERS = 80

/** Whether an answer begins with a yes or a no. */
export function yesOrNo(answer: string): 'yes' | 'no' | undefined {
  const start = normalise(answer.slice(0, READ_CHARACTERS)).trim()
  if (/^没问题/.test(start)) return 'yes'
  if (NO.test(start) || ALSO_NO.test(start)) return 'no'
  return YES.test(start) || ALSO_YES.test(start) ? 'yes' : undefined
}
