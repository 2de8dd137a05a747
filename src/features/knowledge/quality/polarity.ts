import { normalise } from '../../../ai/analysis/normalise.ts'
import { beginsWithNo, beginsWithYes } from './permissions.ts'

const ALSO_YES = /^(?:有|会|是|对|当然|没问题|yep\b|yeah\b|absolutely\b|definitely\b)/i
const ALSO_NO = /^(?:没有|没|无|不|nope\b|never\b)/i
const READ_CHARACTERS = 80

/** Whether an answer begins with a yes or a no. */
export function yesOrNo(answer: string): 'yes' | 'no' | undefined {
  const start = normalise(answer.slice(0, READ_CHARACTERS)).trim()
  if (/^没问题/.test(start)) return 'yes'
  if (beginsWithNo(start) || ALSO_NO.test(start)) return 'no'
  return beginsWithYes(start) || ALSO_YES.test(start) ? 'yes' : undefined
}
