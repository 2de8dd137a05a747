import { EMOJI_FEELINGS } from '../../../language/emotion-words.ts'
import { parsePhrases, phraseBook } from '../../../language/phrases.ts'
import type { ChitchatKind } from '../../../language/understanding.ts'

type Kind = ChitchatKind | 'filler'

const BOOK = phraseBook<Kind>({
  greeting:
    'hi, hello, hey, hiya, hii, hiii, heya, howdy, yo, greetings, hi there, hello there, hey there, good morning, good afternoon, good evening, morning, ' +
    "good day, how are you, how are you doing, how is it going, how's it going, hows it going, what's up, whats up, nice to meet you, " +
    'anyone there, anybody there, is anyone there, is anybody there, are you there, hello again, how do you do, ' +
    '你好, 您好, 你好呀, 你好啊, 嗨, 哈喽, 哈啰, 哈罗, 嘿, 在吗, 在么, 在不在, 在不, 有人吗, 有人在吗, 有人么, 早, 早上好, 上午好, 中午好, 下午好, 晚上好, 早安, 早呀, 早啊, ' +
    '喂, 客服你好, 你好客服, 在线吗, 大家好, 最近好吗, 你好吗',
  thanks:
    'thanks, thank you, thank u, thx, thanx, ty, tysm, cheers, many thanks, thanks a lot, thank you so much, thank you very much, thanks so much, much appreciated, appreciate it, i appreciate it, ' +
    'thanks for your help, thank you for your help, thanks again, that worked, it worked, that did it, that did the trick, that fixed it, that solved it, that helped, this helped, it works now, works now, all sorted, sorted, solved, problem solved, issue solved, fixed now, all good now, ' +
    "that was helpful, very helpful, you've been very helpful, " +
    '谢谢, 谢谢你, 谢谢您, 谢谢啦, 谢谢了, 谢啦, 谢了, 多谢, 多谢了, 感谢, 非常感谢, 太感谢了, 十分感谢, 感谢感谢, 谢谢你的帮助, 谢谢帮助, 辛苦了, 辛苦啦, 麻烦了, 麻烦你了, 谢谢亲, 3q, 3x, 搞定, 搞定了, 搞定啦, 解决了, 已解决, 已经解决了, 问题解决了, 弄好了, 弄好啦, 可以用了, 好使了, 成功了, 能用了, 管用, 有用, 帮大忙了',
  goodbye:
    'bye, bye bye, goodbye, good bye, see you, see ya, see you later, talk to you later, later, good night, take care, have a nice day, have a good day, have a great day, have a good one, ' +
    "have a nice evening, have a good evening, have a good weekend, have a nice weekend, that's all, that is all, that will be all, that'll be all, nothing else, no more questions, farewell, ciao, cya, " +
    '再见, 拜拜, 拜, 88, 886, 晚安, 回头见, 回见, 明天见, 下次见, 下次聊, 回聊, 先这样, 就这样, 就这样吧, 没有了, 没了, 没别的了, 没别的问题了, 没有别的问题了, 没有其他问题了, 没问题了, 没事了, 祝你愉快, 祝您愉快, 祝你生活愉快, 再会',
  identity:
    "who are you, what are you, what is your name, what's your name, whats your name, your name, are you a robot, are you a bot, are you human, are you a human, are you real, " +
    'are you a real person, are you a person, are you a machine, are you an ai, is this a bot, is this a robot, what can you do, what do you do, how can you help me, how can you help, who made you, what can i ask you, ' +
    '你是谁, 你叫什么, 你叫什么名字, 你是机器人吗, 你是机器人, 你是机器人么, 你是人吗, 你是真人吗, 你是真人还是机器人, 你是机器人还是真人, 你是人工吗, 你是人还是机器人, 你会做什么, 你能做什么, 你会什么, 你能帮我什么, 你能干什么, 你有什么功能, 谁开发了你',
  acknowledgement:
    'ok, okay, k, kk, okey, okie, fine, alright, all right, got it, i got it, ok got it, understood, i see, i understand, sounds good, great, perfect, cool, sure, awesome, nice, excellent, wonderful, ' +
    "good, very good, good to know, makes sense, that's fine, that is fine, that's great, that works, no problem, no worries, right, yes, yeah, yep, yup, no, nope, hmm, oh, ah, wow, well, never mind, nevermind, forget it, forget about it, no thanks, no thank you, not needed, " +
    '好, 好的, 好的好的, 好滴, 好嘞, 好哒, 好呀, 好啊, 好吧, 嗯, 嗯嗯, 哦, 哦哦, 噢, 喔, 行, 行吧, 可以, 可以的, 知道了, 我知道了, 明白, 明白了, 了解, 了解了, 懂了, 清楚了, 收到, ok的, ok了, 没问题, 对, 对的, 是, 是的, 不错, 很好, 太好了, 太棒了, 挺好, 真好, 真不错, 不用了, 不需要了, 算了, 算了吧, 算啦, 不必了, 原来如此, 这样啊, 好了',
  apology:
    'sorry, sorry about that, my bad, my mistake, i apologize, i apologise, oops, sorry wrong chat, 不好意思, 抱歉, 对不起, 打错了, 发错了, 抱歉打错了, 按错了',
  small_talk:
    "haha, hahaha, hahahaha, hehe, lol, lmao, test, testing, just testing, this is a test, tell me a joke, i love you, you are funny, you are smart, i am bored, i'm bored, merry christmas, happy new year, happy birthday, " +
    '哈哈, 哈哈哈, 哈哈哈哈, 呵呵, 嘻嘻, 嘿嘿, 测试, 测试一下, 试一下, 讲个笑话, 我喜欢你, 我爱你, 我好无聊, 好无聊, 新年快乐, 圣诞快乐, 节日快乐, 生日快乐, 周末愉快, 春节快乐, 中秋快乐, 恭喜发财',
  filler:
    'there, then, so much, a lot, very much, for your help, for the help, everyone, sir, madam, friend, mate, buddy, guys, team, again, now, today, and, have, so, just, um, uh, really, please, ' +
    '亲, 亲爱的, 呀, 啊, 哦哦哦, 吧, 呢, 啦, 哈, 的, 了, 你们, 大家, 各位, 老师, 小姐姐, 一下, 那, 真的, 非常, 朋友',
})

// A thank-you that begins with "hi" is a thank-you; an "ok, bye" is a goodbye.
const PRIORITY: readonly ChitchatKind[] = [
  'identity',
  'goodbye',
  'thanks',
  'apology',
  'small_talk',
  'greeting',
  'acknowledgement',
]

/** Nothing but signs such as 👍, and none of them sad. */
function isGladSign(text: string): boolean {
  const feelings = [...text].flatMap((sign) => EMOJI_FEELINGS.get(sign) ?? [])
  return feelings.length > 0 && feelings.every((feeling) => feeling > 0)
}

/** Kind of small talk that a folded message is, when it is nothing else; null otherwise. */
export function chitchatKindOf(folded: string): ChitchatKind | null {
  const kinds = parsePhrases(folded.replaceAll('?', ' ').replaceAll('？', ' '), BOOK)
  if (kinds === null) return null
  if (kinds.length === 0) return isGladSign(folded) ? 'thanks' : null
  return PRIORITY.find((kind) => kinds.includes(kind)) ?? null
}
