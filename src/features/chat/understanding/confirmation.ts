import { parsePhrases, phraseBook } from './phrases.ts'

type Kind = 'yes' | 'no' | 'polite'

const BOOK = phraseBook<Kind>({
  yes:
    "yes, yeah, yep, yup, y, ya, ye, yea, yes please, ok, okay, k, sure, of course, certainly, absolutely, definitely, correct, that's correct, that is correct, right, that's right, that is right, exactly, agreed, i agree, " +
    'confirm, confirmed, i confirm, i do confirm, please confirm, go ahead, please go ahead, go for it, proceed, please proceed, do it, please do, please do it, do that, please do that, sounds good, fine, alright, all right, ' +
    'no problem, that works, yes i do, yes i am, yes do it, i do, yes go ahead, i am sure, im sure, make it so, ' +
    '是, 是的, 是啊, 对, 对的, 对啊, 没错, 好, 好的, 好滴, 好嘞, 好吧, 好啊, 行, 行吧, 行的, 可以, 可以的, 没问题, 确认, 确定, 我确认, 我确定, 确认一下, 同意, 我同意, 嗯, 嗯嗯, 要, 要的, 需要, 办吧, 执行, 继续, 请继续, ' +
    '就这样办, 就这么办, 请办理, 办理, 麻烦办理, 帮我办, 帮我办理, 没有问题, 当然, 当然可以, 中',
  no:
    "no, nope, nah, n, no thanks, no thank you, not now, not yet, don't, do not, don't do it, do not do it, don't do that, stop, never mind, nevermind, forget it, i changed my mind, i do not want that, i don't want that, " +
    "i don't want to, not really, wrong, that's wrong, that is wrong, incorrect, that's not right, not correct, i disagree, i do not confirm, i don't confirm, leave it, leave it as it is, keep it, " +
    '不, 不是, 不是的, 不对, 不要, 不要了, 不用, 不用了, 不需要, 不需要了, 不必, 不必了, 不行, 不可以, 不好, 不同意, 我不同意, 不确认, 不确定要, 算了, 算了吧, 别, 别了, 别办, 不办了, 不办, 先不, 先不用, 先不了, 先不要, 暂时不用, 暂时不要, 再说吧, 停, 错了, 没有',
  polite:
    'please, thanks, thank you, thx, oh, um, uh, well, hi, hello, 请, 谢谢, 谢谢你, 谢谢您, 麻烦, 麻烦了, 麻烦你了, 吧, 的, 了, 啊, 呀, 哦, 哈, 啦, 您, 你好, 那就',
})
const THUMBS = /^[\s]*(?:(\u{1f44d}|\u{1f44c}|\u{2705})|(\u{1f44e}|\u{274c}))[\u{1f3fb}-\u{1f3ff}\u{fe0f}\s]*$/u
const QUESTION = /[?？]/

/**
 * Reads a folded message as an answer to "shall I?". What changes an order hangs on this, so it is strict: every word must be
 * an assent (or a refusal) or politeness. "yes, but …", "ok wait", "可以吗", "yes no" are null. A bare "cancel" or "取消" is
 * null too: it may mean the offer or the order.
 */
export function confirmationOf(folded: string): 'yes' | 'no' | null {
  const thumb = THUMBS.exec(folded)
  if (thumb !== null) return thumb[1] === undefined ? 'no' : 'yes'
  if (QUESTION.test(folded)) return null
  const kinds = new Set(parsePhrases(folded, BOOK))
  if (kinds.has('yes') === kinds.has('no')) return null
  return kinds.has('yes') ? 'yes' : 'no'
}
