import { parsePhrases, phraseBook } from './phrases.ts'

/** `doubtful`: a yes with a condition or a question. */
export type Consent = 'yes' | 'no' | 'doubtful'

type Kind = 'yes' | 'no' | 'polite' | 'act'

const BOOK = phraseBook<Kind>({
  yes:
    "yes, yeah, yep, yup, y, ya, ye, yea, yes please, ok, okay, k, sure, sure thing, why not, of course, certainly, absolutely, definitely, by all means, correct, that's correct, that is correct, right, that's right, that is right, exactly, agreed, i agree, " +
    'confirm, confirmed, i confirm, i do confirm, please confirm, go ahead, please go ahead, go for it, proceed, please proceed, do it, please do, please do it, do that, please do that, sounds good, fine, fine by me, alright, all right, great, ' +
    'no problem, that works, yes i do, yes i am, yes do it, i do, yes go ahead, i am sure, im sure, make it so, ' +
    '是, 是的, 是啊, 对, 对的, 对啊, 没错, 没毛病, 好, 好的, 好滴, 好嘞, 好吧, 好啊, 好呀, 行, 行吧, 行的, 可以, 可以的, 没问题, 确认, 确定, 我确认, 我确定, 确认一下, 同意, 我同意, 嗯, 恩, 要, 要的, 需要, 办吧, 执行, 继续, 请继续, ' +
    '就这样, 就这样办, 就这么办, 请办理, 办理, 麻烦办理, 帮我办, 帮我办理, 没有问题, 当然, 当然可以, 中',
  no:
    "no, nope, nah, n, no way, no thanks, no thank you, not now, not yet, don't, do not, don't do it, do not do it, don't do that, stop, never mind, nevermind, forget it, i changed my mind, changed my mind, i do not want that, i don't want that, " +
    "i don't want to, not really, rather not, i'd rather not, wrong, that's wrong, that is wrong, incorrect, that's not right, not correct, i disagree, i do not confirm, i don't confirm, leave it, leave it as it is, keep it, i'll keep it, keep them, keep the order, keep my order, hold off, hold on, wait, wait a moment, hang on, " +
    "don't cancel it, don't cancel, do not cancel it, don't return it, don't change it, " +
    '不, 不是, 不是的, 不对, 不要, 不要了, 不用, 不用了, 不需要, 不需要了, 不必, 不必了, 不行, 不可以, 不好, 不同意, 我不同意, 不确认, 不确定要, 否, 不了, 算了, 算了吧, 还是算了, 别, 别了, 别办, 不办了, 不办, 先不, 先不用, 先不了, 先不要, 暂时不用, 暂时不要, 再说吧, 我再想想, 再想想, 我改主意了, 改主意了, 停, 等等, 等一等, 慢着, 错了, 没有, ' +
    '留着, 留着吧, 都留着, 都留着吧, 不取消, 不取消了, 先不取消, 先不取消了, 别取消, 先别取消, 不退, 不退了, 先不退, 先不退了, 暂时不退, 暂时不退了, 先别退, 不换, 不换了, 先不换, 先不换了, 暂时不换, 不改了, 先不改, 先不改了',
  polite:
    'please, pls, thanks, thank you, thx, oh, um, uh, well, hi, hello, actually, for now, then, so, 请, 谢谢, 谢谢你, 谢谢您, 麻烦, 麻烦了, 麻烦你了, 麻烦您了, 吧, 的, 了, 啊, 呀, 哦, 哈, 啦, 您, 你好, 那, 那就, 等下, 等一下',
  // The act itself: beside an assent it says what is assented to; alone it may be the offer or another order.
  act: 'cancel it, cancel, return it, cancel the order, 取消, 取消吧, 帮我取消, 退, 退吧, 退了吧, 帮我退, 换吧, 换, 帮我换, 改吧, 帮我改',
})
const THUMBS = /^[\s]*(?:(\u{1f44d}|\u{1f44c}|\u{2705})|(\u{1f44e}|\u{274c}))[\u{1f3fb}-\u{1f3ff}\u{fe0f}\s]*$/u
const QUESTION = /[?？]/
const YES_FIRST =
  /^(?:yes|yep|yeah|yup|ok|okay|sure|go ahead|right|correct|fine|好的|好吧|是的|可以(?!吗)|行(?=[,，])|嗯+|确认(?=[,，])|对的)(?![a-z])/
const MAX_DOUBTFUL_LENGTH = 80

/**
 * Reads a folded message as an answer to "shall I?". Changes of orders hang on this, so a plain answer is strict: every
 * word must be an assent (or a refusal), politeness or the act itself. "yes, but …" is doubtful. A bare "cancel" or "取消" is
 * null: it may mean the offer or the order.
 */
export function consentIn(folded: string): Consent | null {
  const thumb = THUMBS.exec(folded)
  if (thumb !== null) return thumb[1] === undefined ? 'no' : 'yes'
  const kinds = new Set(QUESTION.test(folded) ? [] : parsePhrases(folded, BOOK))
  if (kinds.has('yes') !== kinds.has('no')) return kinds.has('yes') ? 'yes' : 'no'
  return folded.length <= MAX_DOUBTFUL_LENGTH && YES_FIRST.test(folded.trim()) ? 'doubtful' : null
}
